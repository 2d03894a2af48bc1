# Every report of --json, and every failure, is as its JSON Schema says; the schemas know every field that the man pages name.
. "$SOURCE/tests/support/cli.sh"
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -W ignore -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then python=$candidate && break; fi
done
[ -n "$python" ] || skip "python3 has no jsonschema (Debian: python3-jsonschema)"
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /usr --component schema >log || { cat log; exit 1; }
schemas=dest/usr/share/ksda/schema
checked=" "
# valid NAME: what is in stdout, by the schema of that name
valid() {
    "$KSDA" help --man "$1" 2>/dev/null | sed -n '/^# JSON/,/^# EXIT/p' | sed -nE 's/^`([a-z_.]+)`$/\1/p' >fields || true
    "$python" "$SOURCE/tests/support/schema.py" $schemas "$1" stdout fields 2>stderr || fail "schema"
    checked="$checked$1 "
}
# report CODE COMMAND...: the command's own schema holds
report() {
    expect "$1" ksda "${@:2}" --json
    valid "$2"
    if jq -e 'has("failure")' stdout >/dev/null; then fail "a failure instead of a report: ${*:2}"; fi
}
# failure CODE COMMAND...: by both schemas, and with the exit code inside
failure() {
    expect "$1" ksda "${@:2}" --json
    matches stderr '^ksda: '
    valid failure
    valid "$2"
    [ "$(jq .failure.exit_code stdout)" = "$1" ] || fail "another exit code inside"
}
command -v jq >/dev/null || skip "jq is not installed"

ksda convert builtin:karate -o g.edges --write-communities g.communities
report 0 anonymize g.edges -c g.communities -k 2 -o out.edges --map out.map
report 0 anonymize g.edges --detect leiden -k 2 -m flex-split -o other.edges --map other.map
report 0 anonymize g.edges -c g.communities -k 2 --frontier --no-measures
report 0 anonymize g.edges -c g.communities -k 2 --frontier -o frontier.edges --map frontier.map
report 0 verify g.edges out.edges -c g.communities --map out.map -k 2
report 4 verify g.edges out.edges -c g.communities --map other.map -k 2
report 4 check g.edges -c g.communities -k 2
report 0 check g.edges -c g.communities
report 0 stats g.edges -c g.communities
report 0 stats g.edges
report 0 measure g.edges
report 0 measure g.edges -c g.communities -k 2 --distributions
report 0 measure g.edges --samples 8 --only aspl,betweenness_centralization
report 0 attack g.edges -c g.communities
report 0 attack out.edges --original g.edges -c g.communities --map out.map -k 2
report 4 check g.edges -c g.communities -k 2 --attackers
report 0 compare g.edges out.edges -c g.communities --map out.map --attackers --only clustering
report 0 sweep g.edges -c g.communities -k 2 -m flex-split --no-measures --attackers
report 0 compare g.edges out.edges -c g.communities --map out.map
report 0 sweep g.edges -c g.communities -k 2 -m edge-connect,flex-split,k-degree
report 0 sweep g.edges -c g.communities -k 2 -m flex-split --no-measures
report 0 detect g.edges -o found.communities
report 0 methods
report 0 version
if ksda version --json | jq -e .libraries.cbc >/dev/null; then
    report 0 optimal g.edges -c g.communities -k 2 -o optimal.edges
fi
# odd networks
printf '5 5\n' >loop.edges
printf '5 x\n' >loop.communities
for command in stats check measure; do report 0 $command loop.edges -c loop.communities; done
report 0 advise builtin:lesmis -k 2
report 0 anonymize loop.edges -c loop.communities -k 1 -o loopout.edges --map loop.map
# a pair and a lone vertex in two communities: no release is diverse for k = 2
printf '1 2\n' >lone.edges
printf '1 a\n2 a\n3 b\n' >lone.communities
if ksda version --json | jq -e .libraries.cbc >/dev/null; then report 4 optimal lone.edges -c lone.communities -k 2 -o loneout.edges; fi

printf '1 2\n3\n' >bad.edges
failure 3 stats bad.edges
[ "$(jq -c '[.failure.file, .failure.line]' stdout)" = '["bad.edges",2]' ] || fail "where it is wrong"
failure 1 stats missing.edges
failure 2 check g.edges -c g.communities -k 99
failure 2 check g.edges --no-such-option
failure 2 verify
failure 4 anonymize g.edges -c g.communities -k 2 -m edge-connect -o none.edges --map none.map
absent none.edges
# nothing but the message where JSON is not asked for, or not to be had
expect 3 ksda stats bad.edges
one_message
expect 2 ksda convert bad.edges --json -o x
usage_error json

# no command was forgotten, no schema lies unused
for name in $(ksda help --names); do
    ksda "$name" -h | grep -qE -- '^ +--json' || continue
    case $checked in *" $name "*) ;; *) [ "$name" = optimal ] || fail "no report of $name was checked" ;; esac
done
for file in $schemas/*.schema.json; do
    name=$(basename "$file" .schema.json)
    case "$checked common optimal " in *" $name "*) ;; *) fail "$name.schema.json is used by nothing" ;; esac
done
