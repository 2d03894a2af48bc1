# The first example keeps its promise: read, detect, release and report in thirty lines.
. "$SOURCE/tests/support/cli.sh"
example="$SOURCE/examples/one_call.c"
test "$(wc -l <"$example")" -le 30 || fail "one_call.c has $(wc -l <"$example") lines"
for call in ksda_load ksda_detect ksda_publish ksda_report_publication; do
    grep -q "$call" "$example" || fail "one_call.c has no $call"
done
grep -c '^| \[' "$SOURCE/examples/README.md" >told
ls "$SOURCE"/examples/*.c | wc -l >there
cmp told there || fail "examples/README.md does not list every example"
