# ksda check --list: everybody, the most exposed first, recounted by a plain script; a private file.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

people() { python3 "$SOURCE/tests/support/people.py" "$@" >counted 2>stderr || fail "$*"; }

for name in lesmis; do
    ksda convert "builtin:$name" -o $name.edges --write-communities $name.communities
done
for seed in 1 2 3 4 5 6 7 8; do
    ksda generate planted --vertices $((40 * seed)) --edges $((150 * seed)) --blocks $((seed + 2)) --seed $seed -o planted$seed.edges --communities planted$seed.communities
done
for name in lesmis planted1 planted2 planted3 planted4 planted5 planted6 planted7 planted8; do
    for k in 2 3; do
        code=0
        "$KSDA" check $name.edges -c $name.communities -k $k --list people.csv --json >check.json 2>stderr || code=$?
        [ $code = 0 ] || [ $code = 4 ] || fail "exit $code: $name"
        people $name.edges $name.communities $k people.csv
        python3 -c 'import json; s = json.load(open("check.json")); print(s["vertices"], "people,", s["violating_vertices"], "exposed")' >expected
        same counted expected
    done
done
[ "$(stat -c %a people.csv)" = 600 ] || fail "the list is not private"

# Names that need quotes, and people whose community is not known
printf 'source,target\n"Meier, Anna",Bo\nBo,"Say ""hi"""\n' >names.csv
printf 'name,team\n"Meier, Anna",A\nBo,B\n"Say ""hi""",\n' >teams.csv
"$KSDA" check names.csv -c teams.csv --unassigned together -k 2 --list people.csv >stdout 2>stderr && fail "two people with one contact each are in one known community"
grep -q '^"Meier, Anna",A,1,2,1,yes,' people.csv || fail "a quoted name"
grep -q '^"Say ""hi""",,1,2,1,yes,' people.csv || fail "no community is an empty field"
grep -q 'keep people.csv private' stderr || fail "nobody says that the list is private"

# Nothing is left behind when it cannot be written
expect 1 "$KSDA" check lesmis.edges -c lesmis.communities --list nowhere/people.csv
"$KSDA" check lesmis.edges -c lesmis.communities -k 3 --report page.html >stdout 2>stderr || true
grep -q 'Who is exposed?' page.html || fail "the page does not say who"
