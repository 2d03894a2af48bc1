# Files and functions stay short enough to be read: 600 lines, 60 lines. Sources are formatted, so a function ends where a
# line begins with a brace.
. "$SOURCE/tests/support/cli.sh"
long() {
    find "$SOURCE"/src "$SOURCE"/cli "$SOURCE"/include "$SOURCE"/tests "$SOURCE"/fuzz "$SOURCE"/bench "$SOURCE"/examples -name '*.[ch]' |
        xargs awk -v lines="$1" -v body="$2" '
            FNR == 1 { begun = 0 }
            FNR == lines + 1 { print FILENAME ": more than " lines " lines" }
            /^[a-z_].*[({,]$/ && !/ = / && !begun { begun = FNR }
            /^}/ { if (begun && FNR - begun >= body && $0 == "}") print FILENAME ":" begun ": a function of " FNR - begun + 1 " lines"; begun = 0 }
            /;$/ && /^[a-z_]/ { begun = 0 }'
}
long 600 60 >found
[ ! -s found ] || { cat found >&2; fail "too long"; }
long 300 30 >found
[ -s found ] || fail "the check finds nothing whatever the limits"
