# Releases of every method, recounted from their files by a plain script that shares nothing with the library.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "python3 is not installed"

recount() { python3 "$SOURCE/tests/support/recount.py" "$@"; }

# recounted NAME K METHOD OPTION...: anonymize NAME.edges; where there is a release, the script agrees with the summary
found=0
recounted() {
    local name=$1 k=$2 method=$3 code=0
    shift 3
    rm -f out.edges out.map out.json
    "$KSDA" anonymize "$name.edges" -c "$name.communities" -k "$k" -m "$method" -o out.edges --map out.map --summary out.json -q "$@" \
        >stdout 2>stderr || code=$?
    case $code in
        0 | 5) ;;
        4) absent out.edges out.map && return ;;
        *) fail "exit $code: $name, k = $k, $method" ;;
    esac
    recount "$name.edges" "$name.communities" out.edges out.map "$k" >counts 2>stderr || fail "$name, k = $k, $method"
    python3 -c 'import json; s = json.load(open("out.json")); print(s["added_edges"], s["added_vertices"])' >summary
    same counts summary
    found=$((found + 1))
}

for name in lesmis karate; do
    ksda convert "builtin:$name" -o $name.edges --write-communities $name.communities
done
ksda generate planted --vertices 120 --edges 600 --blocks 12 --size-exponent 0 --degree-exponent 0 -o teams.edges --communities teams.communities
ksda generate planted --vertices 400 --edges 2000 --blocks 6 --degree-exponent 2.1 --mixing 0.3 -o hubs.edges --communities hubs.communities --seed 2
ksda generate planted --vertices 500 --edges 3000 --blocks 9 --mixing 0.6 --not-stated 0.4 -o attributes.edges --communities attributes.communities

ksda methods | awk '{print $1}' | grep -v k-degree >methods
for name in lesmis karate teams hubs attributes; do
    communities=$(awk '{print $2}' $name.communities | sort -u | wc -l)
    while read -r method; do
        for k in 2 "$communities"; do
            case $name-$method in
                *-optimal | hubs-level-plan | attributes-level-plan) limit="--time-limit 0.3" ;;
                *) limit= ;;
            esac
            # shellcheck disable=SC2086
            recounted $name "$k" "$method" $limit
        done
    done <methods
    recounted $name 2 level-plan --split-weight 1 --time-limit 0.3
    recounted $name 2 level-plan --time-limit 0.05
done
[ $found -ge 60 ] || fail "only $found releases"

# the script itself refuses what does not hold
ksda anonymize lesmis.edges -c lesmis.communities -k 3 -o r.edges --map r.map -q
expect 0 recount lesmis.edges lesmis.communities r.edges r.map 3
expect 1 recount lesmis.edges lesmis.communities r.edges r.map 4
sed 1,100d r.edges >less.edges # far more than were added: true edges are among them, whatever the ids
expect 1 recount lesmis.edges lesmis.communities less.edges r.map 1
sed 1d r.map >less.map
expect 1 recount lesmis.edges lesmis.communities r.edges less.map 1
