# Files that must not be written, and outputs that appear together or not at all.
. "$SOURCE/tests/support/cli.sh"
ksda convert builtin:lesmis -o g.edges --write-communities g.communities
cp g.edges g.before
cp g.communities c.before
k=1 # holds already: every method has nothing to do
run() { expect "$1" ksda anonymize g.edges -c g.communities -k $k "${@:2}"; }
intact() { same g.edges g.before; same g.communities c.before; no_leftovers; }

# output = input, by name, by another name, through links
ln -s g.edges link
ln g.edges hard
mkdir sub
for name in g.edges ./g.edges sub/../g.edges "$PWD/g.edges" link hard g.communities; do
    for option in -o --map --summary --publish-communities --trace; do
        if [ $option = -o ]; then run 2 -o "$name"; else run 2 -o out.edges $option "$name"; fi
        usage_error "is the same file as"
        absent out.edges
        intact
    done
done

# two outputs in one file, there already or not
for pair in "--map out.edges" "--map ./out.edges" "--summary sub/../out.edges"; do
    # shellcheck disable=SC2086
    run 2 -o out.edges $pair
    usage_error "is the same file as"
    absent out.edges
done
run 2 -o out.edges --map m --summary m
absent out.edges m
run 2 -o - --json
says stderr "cannot both be standard output"
run 2 -o - --summary -
usage_error "cannot both be standard output"
expect 2 ksda check - -c -
usage_error "cannot both be standard input"

# nowhere to write
run 1 -o missing/out.edges
says stderr "missing/out.edges"
one_message
run 1 -o sub
says stderr "sub"
run 1 -o out.edges --map missing/map
absent out.edges
run 1 -o out.edges --summary sub
absent out.edges
run 1 -o g.edges/out
intact
if [ -w /dev/full ]; then
    run 1 -o /dev/full
    says stderr "No space left on device"
    run 1 -o out.edges --map /dev/full
    absent out.edges
    run 1 -o out.edges --summary /dev/full
    says stderr "/dev/full"
    absent out.edges
    code=0
    ksda check g.edges -c g.communities >/dev/full 2>stderr || code=$?
    [ $code = 1 ] || fail "check >/dev/full: exit $code"
    says stderr "standard output"
    code=0
    ksda anonymize g.edges -c g.communities -k $k --map out.map >/dev/full 2>stderr || code=$?
    [ $code = 1 ] || fail "anonymize >/dev/full: exit $code"
    absent out.map
fi
intact
if [ "$(id -u)" != 0 ]; then
    mkdir closed && chmod 500 closed
    run 1 -o closed/out.edges
    touch old.edges && chmod 400 old.edges
    run 1 -o old.edges
    silent old.edges
fi

# nowhere to read from
expect 1 ksda stats missing.edges
says stderr "missing.edges"
one_message
expect 1 ksda stats sub
says stderr "directory"
ln -s loop1 loop2 && ln -s loop2 loop1
expect 1 ksda stats loop1
one_message
expect 1 ksda stats g.edges -c missing.communities
says stderr "missing.communities"
if [ "$(id -u)" != 0 ]; then
    touch secret && chmod 000 secret
    expect 1 ksda stats secret
fi

# what is written, and with which mode
run 0 -m flex-split -o out.edges --map out.map --summary out.json --publish-communities out.communities --trace out.trace
present out.edges out.map out.json out.communities out.trace
for private in out.map out.json out.trace; do
    [ "$(stat -c %a $private)" = 600 ] || fail "$private has mode $(stat -c %a $private)"
done
[ "$(wc -l <out.map)" = 77 ] || fail "the map has $(wc -l <out.map) lines"
[ "$(wc -l <out.edges)" = 254 ] || fail "the graph has $(wc -l <out.edges) lines"
no_leftovers
# a broken pipe is a failure, not a crash
{ ksda convert builtin:lesmis || echo $? >code; } 2>stderr | true
[ ! -e code ] || [ "$(cat code)" = 1 ] || fail "broken pipe: exit $(cat code)"

# a file that may not become so large (ulimit -f) is a failure like a full disk: exit 1, a message, nothing left
(
    ulimit -f 8
    expect 1 ksda generate rmat --scale 12 --edges 30000 -o large.edges
    one_message
    absent large.edges
    no_leftovers
)

# names are never obeyed by a terminal, and a message stays one line
expect 1 ksda stats $'no\nsuch\x1b[31mfile'
one_message
says stderr "no?such?[31mfile: cannot be opened"

# --- a folder is one network, and one map: its files in the order of their names
ksda generate planted --vertices 300 --edges 900 --blocks 4 --communities p.who -o p.txt --seed 2 -q
ksda anonymize p.txt -c p.who -k 2 --no-proof -o p.edges --map p.map --insecure-ids -q
mkdir p.d p.maps p.raw32 && split -n l/3 p.edges p.d/part- && split -n l/2 p.map p.maps/part- && : >p.d/part-zz && echo >p.d/_log
ksda convert p.edges -o p.u32 -q && split -b 800 p.u32 p.raw32/part-
expect 0 ksda verify p.txt p.d -c p.who --map p.maps -k 2
expect 0 ksda verify p.txt p.raw32 -c p.who --map p.maps -k 2
ksda stats p.d --json | jq -S 'del(.reading)' >one && ksda stats p.edges --json | jq -S 'del(.reading)' | same /dev/stdin one
rm p.maps/part-ab
expect 3 ksda verify p.txt p.d -c p.who --map p.maps -k 2
says stderr "p.maps: no line for the published vertex"
mkdir p.d/further
expect 3 ksda stats p.d
says stderr "p.d/further: a folder among the files"
rmdir p.d/further && echo 'anna bert' >p.d/part-b
expect 3 ksda stats p.d
says stderr "p.d/part-b:1: an id that is no number"
mkdir p.graphs && ksda convert p.edges -o p.graphs/a.graphml -q && cp p.graphs/a.graphml p.graphs/b.graphml
expect 3 ksda stats p.graphs
says stderr "the files of a folder are lists of edges"
