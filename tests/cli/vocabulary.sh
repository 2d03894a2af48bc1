# What check tells in the words of those who publish tables, against a script that counts by the definitions: thousands of
# small networks, one that is built in, and networks of the data folder where it is present.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3" >&2; exit 77; }
"$BUILD/tests/unit_test_vocabulary" lines >lines || fail "no networks were written"
least=1000
if sanitized; then least=300; fi
expect 0 python3 "$SOURCE/tests/support/vocabulary.py" lines $least
# people in several communities: 400 of those networks, and some from files, people without a community among them
grep -c '+' lines >several
[ "$(cat several)" -ge $((least / 8)) ] || fail "only $(cat several) networks of sets"
expect 0 python3 "$SOURCE/tests/support/vocabulary.py" sets "$KSDA" $((least / 20))

# FILE of the data folder, unpacked
unpack() { if [ -f "$DATA/$1.gz" ]; then gzip -dc "$DATA/$1.gz"; else cat "$DATA/$1"; fi; }
agrees() {
    ksda check "$1" -c "$2" ${3:-} --json >report.json || [ $? = 4 ] || fail "check $1"
    expect 0 python3 "$SOURCE/tests/support/vocabulary.py" "$1" "$2" report.json
}
ksda convert builtin:lesmis -o l.edges --write-communities l.communities
agrees l.edges l.communities
agrees l.edges l.communities "-k 3"
for name in football usairport500.metis5 ca-CondMat.metis100; do
    graph=${name%%.*}
    if ! ls "$DATA/$graph".edges* "$DATA/$name".communities* >/dev/null 2>&1; then
        echo "skipped: $name is not there" >&2
        continue
    fi
    unpack $graph.edges >g.edges
    unpack $name.communities >g.communities
    agrees g.edges g.communities "-k 2"
done

# people read it where they ask for it
expect 0 ksda check l.edges -c l.communities
if grep -q t-closeness stdout; then fail "told though nobody asked"; fi
expect 4 ksda check l.edges -c l.communities -k 2 --vocabulary --report page.html
says stdout "t-closeness, t "
says stdout "recursive (c, l)-diversity, c above"
says page.html "marketer risk"
