# What people read at the terminal: aligned, with small bars, blocks only where the locale says UTF-8, never an escape code.
. "$SOURCE/tests/support/cli.sh"
unset LC_ALL LC_CTYPE LANG
ksda anonymize builtin:lesmis -k 3 -o p.edges --map p.map --quiet
texts() { # every text that has bars, into one file
    ksda check builtin:lesmis -k 3 || [ $? = 4 ]
    ksda compare builtin:lesmis p.edges --map p.map -k 3
    ksda anonymize builtin:lesmis -k 3 -o q.edges --report r.html --insecure-ids
    ksda sweep builtin:karate -k 1:2 -m edge-connect,flex-split
}
texts >plain.text
LC_ALL=C.UTF-8 texts >blocks.text
LC_ALL=C LANG=en_US.UTF-8 texts >first.text # the first that is set decides
LANG=en_US.utf8 texts >lang.text
if LC_ALL=C grep -q '[^ -~]' plain.text first.text; then fail "something but ASCII where the locale does not say UTF-8"; fi
says blocks.text "█"
says lang.text "█"
matches plain.text '##'
for text in plain.text blocks.text; do
    if grep -q "$(printf '\033')" $text; then fail "$text has escape codes"; fi
    if grep -qE ' $' $text; then fail "$text has blanks at the end of a line: $(grep -nE ' $' $text | head -1)"; fi
    [ "$(wc -L <$text)" -le 105 ] || fail "$text is $(wc -L <$text) wide"
done
ksda methods >methods.text
[ "$(wc -L <methods.text)" -le 105 ] || fail "methods.text is $(wc -L <methods.text) wide"
for command in $(ksda help --list | cut -f 2); do # options and fields are wrapped; a command stands on one line
    ksda "$command" --help >whole.text
    [ "$(wc -L <whole.text)" -le 120 ] || fail "$command --help has a command of $(wc -L <whole.text) columns"
    grep -v '^ *\$ ' whole.text >help.text
    [ "$(wc -L <help.text)" -le 100 ] || fail "$command --help is $(wc -L <help.text) wide"
done
# both say the same but for the bars, and bars start in one column
numbers() { sed -E 's/[#█▉▊▋▌▍▎▏]+ *//g; s/ +$//; /^  (took|memory) /d; /^ {13}[a-z]+ [0-9.,]+ m?s/d; / seconds$/d' "$1"; }
numbers plain.text >a
LC_ALL=C.UTF-8 numbers blocks.text >b
same a b
LC_ALL=C.UTF-8 grep -n 'Clustering coefficient\|Diameter\|Betweenness centralization' blocks.text | grep -o '^.*[^ ] *[█▉▊▋▌▍▎▏]' >/dev/null || fail "no bars"
python3 - <<'PY' || fail "bars do not stand under each other, or have the wrong length"
lines = open("blocks.text", encoding="utf-8").read().split("original:  77")[1].split("full bar: 1\n")[0].splitlines()[3:]
columns, scale = set(), float(lines[0].split("full bar: ")[1].split()[0])
for line in lines[1:]:
    at = next((i for i, c in enumerate(line) if "\u2588" <= c <= "\u258f"), None)
    if at is None: continue
    columns.add(at)
    change = abs(float(line[:at].rsplit("%", 1)[0].split()[-1])) * (1 if "%" in line[:at] else 100)
    eighths = sum(8 - (ord(c) - 0x2588) for c in line[at:].strip())
    assert abs(eighths - max(1, min(80, change * 80 / scale))) <= 1, (line, eighths) # the number is rounded, too
assert len(columns) == 1, columns
PY
# a small change shows on a finer scale
ksda anonymize builtin:karate -k 1 -o k.edges --map k.map --quiet
expect 0 ksda compare builtin:karate k.edges --map k.map --redetect none
says stdout "full bar: 1 %"
if grep -q '#' <(sed '/full bar: 1$/,$d' stdout); then fail "bars where nothing has changed"; fi

# one edge is no edges
printf 'a b\n' >one.edges
printf 'a 1\nb 2\n' >one.communities
printf 'a 1\n' >half.communities
printf 'a 1\nb 1\n' >same.communities
printf 'a b\nb c\n' >path.edges
printf 'a 1\nb 1\nc 2\n' >path.communities
says_all() { "$KSDA" "$@" >>all.text 2>&1 </dev/null || true; }
for c in one half same; do
    for words in "stats one.edges" "check one.edges -k 1 --report $c.html" "measure one.edges" "attack one.edges -k 1" "sweep one.edges -k 1" "advise one.edges"; do
        # shellcheck disable=SC2086
        says_all $words -c $c.communities --unassigned together
    done
done
says_all stats one.edges -c half.communities
says_all check path.edges -c path.communities -k 2 --report path.html
says_all anonymize path.edges -c path.communities -k 2 -o path_out.edges --map path.map --report release.html
says_all verify path.edges path_out.edges --map path.map -c path.communities -k 2
says_all compare path.edges path_out.edges --map path.map -c path.communities -k 2
says_all attack path_out.edges --original path.edges --map path.map -c path.communities -k 2
says_all anonymize path.edges -c path.communities -k 2 --frontier
says_all optimal path.edges -c path.communities -k 2 -o path_out.edges --map path.map --force
sed 's/<[^>]*>/|/g' one.html half.html same.html path.html release.html >>all.text
wrong='(^|[^0-9.,/])1 (vertices|edges|communities|people|splits|links|degrees|contacts|runs|releases|seconds|lines|files|witnesses|pieces|pairs|groups|components|hops)\b|1 of [0-9,]+ (vertices|people) have'
if grep -nE "$wrong" all.text; then fail "a plural of one"; fi

# Sentences are folded, headings of columns stand apart
ksda check builtin:lesmis -k 2 --vocabulary >wide.text || [ $? = 4 ]
ksda attack builtin:lesmis -k 3 >>wide.text
ksda advise builtin:karate >>wide.text
awk 'length($0) > 105 { print; wide = 1 } END { exit wide }' wide.text || fail "wider than 105 columns"
if grep -nE 'surest bits|holds for by' wide.text; then fail "two headings read as one"; fi

# Who keeps the map private must do so with the report, unless it was made to be published
ksda anonymize builtin:karate -k 2 -o k.edges --report k.html --insecure-ids >/dev/null 2>stderr
grep -q 'keep k.html private' stderr || fail "nobody says that the report is private"
ksda anonymize builtin:karate -k 2 -o k.edges --report k.html --public --force --insecure-ids >/dev/null 2>stderr
if grep 'keep k.html private' stderr; then fail "a report to publish is called private"; fi
