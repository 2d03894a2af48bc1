# The table of ksda_abi() has every field of every public struct. After a change of a header: make update-abi
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
python3 "$SOURCE/scripts/abi.py" "$SOURCE/include/ksda" >fields
diff "$SOURCE/src/core/abi.def" fields || fail "src/core/abi.def is not that of the headers: make update-abi"
# no struct is spelled in a way that the script does not see
cat "$SOURCE"/include/ksda/*.h | sed 's,/\*.*\*/,,' | grep -cE '^typedef struct [a-z_]+ \{' >spelled
test "$(cat spelled)" = "$(grep -c '^BEGIN' fields)" || fail "$(cat spelled) structs are defined, $(grep -c '^BEGIN' fields) are in the table"
cat "$SOURCE"/include/ksda/*.h | grep -E '^(struct|union) ' && fail "a struct without a typedef"
true
