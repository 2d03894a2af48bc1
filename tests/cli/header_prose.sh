# The public headers are the manual of the C interface: two lines of three, to the second digit, hold words for people, and every
# function has a comment of its own right above it.
. "$SOURCE/tests/support/cli.sh"
for header in "$SOURCE"/include/ksda/*.h; do
    share=$(awk -f "$SOURCE/scripts/header_prose.awk" "$header")
    awk -v share="$share" 'BEGIN { exit !(share >= 0.66) }' || fail "$(basename "$header"): a share of $share of its lines are comments; at least 0.66 is asked"
    awk -v name="$(basename "$header")" '
        /^KSDA_API/ && before !~ /\*\/$/ && before !~ /^#define ksda_[a-z_]*_init\(/ { print name ":" NR ": " $0; bad = 1 }
        /[^ ]/ { before = $0 }
        END { exit bad }' "$header" || fail "a function without a comment right above it"
done
