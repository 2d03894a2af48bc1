# Words thrown at the command at random: whatever happens, it answers with a documented exit code, and never by crashing.
. "$SOURCE/tests/support/cli.sh"
RANDOM=20261115
ksda convert builtin:karate -o g.edges --write-communities g.communities
mapfile -t commands < <(ksda help --names | grep -vx studio) # which serves until it is told to end
words=(-k 2 3 0 -1 -c g.communities g.edges builtin:lesmis builtin:karate -o out.edges out2 --map out.map --json -q --top 1 --seed 18446744073709551615
    -t 8 --detect leiden metis:3 metis:x -m flex-split edge-connect --split-weight 0.5 1e9 -- - --format csv edges graphml --unassigned own together
    --summary s.json --trace t --time-limit 1 --insecure-ids --publish-communities pc --community-attribute community -h --help rmat --scale 4
    --edges 10 --blocks 2 --communities --output-format gml --probabilities 0.25,0.25,0.25,0.25 "" " " bash /dev/null /dev/stdin . -kx --k=3 --=)
for i in $(seq 120); do
    line=("${commands[RANDOM % ${#commands[@]}]}")
    [ $((RANDOM % 20)) = 0 ] && line=()
    for j in $(seq $((RANDOM % 9))); do line+=("${words[RANDOM % ${#words[@]}]}"); done
    code=0
    timeout 20 "$KSDA" "${line[@]}" >stdout 2>stderr </dev/null || code=$?
    case $code in
    0 | 4 | 5) ;;
    1 | 2 | 3) matches stderr '^(ksda: |Usage)|^ksda [0-9]' ;;
    *) fail "exit $code: ksda ${line[*]}" ;;
    esac
    no_leftovers
done
