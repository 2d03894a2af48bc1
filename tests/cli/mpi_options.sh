# ksda-mpi and the tables of ksda: every option of its commands is taken with the same answer, or refused with exit 2 and
# the command that takes it; so is every command that it does not have. A new option must be given a run here.
# KSDA_TEST_TIMES=1: every command, refusal and complaint, on two processes; otherwise the first and the last of a kind, on
# one that nobody starts.
. "$SOURCE/tests/support/cli.sh"
. "$SOURCE/tests/support/mpi.sh"
few=${KSDA_TEST_TIMES:+2} few=${few:-0} # processes where one will do as well
# some FILE: its lines, or the first and the last
some() { if [ "$few" = 0 ]; then sed -n '1p;$p' "$1"; else cat "$1"; fi; }

# --- commands: one that only ksda has is no unknown word; that needs no mpirun
ksda help --names | sort >all
"$mpi" help --names | sort >ours
comm -12 all ours | same /dev/stdin ours
comm -23 all ours >others
[ "$(wc -l <others)" -ge 10 ] || fail "which commands has ksda alone? $(cat others)"
for name in $(some others); do
    expect 2 "$mpi" "$name" --help
    usage_error "'$name': several processes cannot do this together; \`ksda $name\` does"
done
expect 2 on $few measure somewhere.txt
[ "$(grep -c "^ksda: 'measure'" stderr)" = 1 ] || fail "one process speaks"
expect 2 "$mpi" help measure
says stderr '`ksda help measure` does'
expect 2 "$mpi" mesure
says stderr "unknown command 'mesure'"

# --- every option has a run below
grep -E '^((p=2 )?run [0-9]|refused|(anonymize|check|verify|stats) )' "$SOURCE/tests/cli/mpi_options.sh" >runs
for command in anonymize check verify stats generate; do
    ksda "$command" -h | sed -nE 's/^  (-[a-zA-Z])?(, |   +)?(--[a-z-]+)?.*/\1 \3/p' | grep -e - >options
    [ "$(wc -l <options)" -ge 10 ] || fail "the options of $command: $(cat options)"
    awk -v command="$command" 'NR == FNR { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); taken[$i] = 1 } next }
        !/^-h|--(help|progress)$/ && !($1 in taken) && !($NF in taken) { print command, $NF }' runs options >unknown
    [ ! -s unknown ] || fail "nobody knows whether ksda-mpi takes $(cat unknown)"
done

# --- options: each line is a run, on small networks of all kinds
ksda generate rmat --scale 4 --edges 40 --blocks 4 --communities who.txt -o net.txt --seed 3 -q
awk 'BEGIN { print "from,to" } { print $1 "," $2 }' net.txt >net.csv
awk 'BEGIN { print "name,group" } { print $1 "," $2 }' who.txt >who.csv
head -12 who.txt >some.txt
ksda anonymize net.txt -c who.txt -k 2 --no-proof --insecure-ids -o release.txt --map release.map -q
{ cat who.txt && awk 'NR <= 4 { print $1, ($2 + 1) % 4 }' who.txt; } >sets.who
ksda anonymize net.txt -c sets.who -k 2 --overlap disjoint --no-proof --insecure-ids -o sets.txt --map sets.map --summary sets.json -q
# what a run takes, when it was, and what it was called like
plain() {
    local f
    for f in $(grep -lZ '^{' "$@" | tr '\0' ' '); do jq 'del(.seconds, .peak_rss_bytes)' "$f" >plain.json 2>/dev/null && mv plain.json "$f"; done
    sed -Ei -e '/^ *(took|memory) /d; /^ {8,}[a-z]+ [0-9.]+ (s|ms)\b/d; s/[0-9.]+ (seconds|ms|s)\b/N \1/g' \
        -e 's/20[0-9]{2}-[0-9]{2}-[0-9]{2}[ T][0-9:]+/DATE/g; s/>(took|memory)<.*//' "$@"
}
run() { # CODE COMMAND...: alike, on $p processes
    local code=$1
    shift
    mkdir out
    expect "$code" ksda "$@"
    mv stdout wanted && own_messages wanted.messages && mv out wanted.d && mkdir out
    expect "$code" on "${p:-$few}" "$@"
    own_messages messages
    # shellcheck disable=SC2046
    plain wanted stdout wanted.messages messages $(find out wanted.d -type f -not -name '*.txt')
    same stdout wanted && same messages wanted.messages
    diff -r out wanted.d >differ || fail "other files: $* $(head -c 1000 differ)"
    rm -r out wanted.d
}
refused() { # OPTION COMMAND...: ksda would take it
    local option=$1
    shift
    expect 2 on "$few" "$@"
    says stderr "$option"
    says stderr "\`ksda $1\`"
    [ "$(grep -c '^ksda: ' stderr)" = 1 ] || fail "one message"
}
p=2 run 0 anonymize net.txt -k 2 --max-share 0.9 --communities who.txt --communities-format pairs --communities-header no --header no --insecure-ids --output out/p.csv --output-format csv --map out/map --force --publish-communities out/who --summary out/summary.json --split-weight 50 --favour paths --no-proof --seed 4 --format edges --no-progress
run 0 anonymize net.csv -c who.csv --columns from,to --community-column group --vertex-column name --encoding utf-8 -k 2 --insecure-ids -o out/p.txt --favour plausible --plausible-cost 10 --time-limit 100 --threads 1 --json --no-proof
run 0 anonymize net.txt -c some.txt --list-unassigned out/missing.txt --unassigned together --overlap disjoint -k 2 -m splitting-only --trace out/trace --insecure-ids -o out/p.txt --report out/page.html --public --quiet
run 0 anonymize net.txt --detect metis:4 -k 2 --frontier --frontier-runs 1 --no-measures
run 0 anonymize net.txt --detect leiden -k 2 --bound 0.1 --insecure-ids -o out/p.txt -q
run 4 check net.txt -c who.txt -k 2 --max-share 1/3 --attackers --vocabulary --list out/list.csv --top 2 --report out/page.html -q
run 0 verify net.txt sets.txt -c sets.who --overlap disjoint --map sets.map --witnesses sets.json -k 2 --json
run 0 verify net.txt release.txt -c who.txt --max-share 0.9 --map release.map -k 2 --report out/page.html -q
run 0 stats net.txt -c who.txt --json
run 0 generate rmat --scale 7 --edges 300 -a 0.4 -b 0.2 -c 0.2 -d 0.2 --blocks 4 --communities out/who.txt -o out/net.graphml --output-format graphml --seed 2 -q
run 0 generate rmat --vertices 100 --edges 300 --probabilities 0.57,0.19,0.19,0.05 -o out/net.txt -q
run 0 generate planted --vertices 100 --edges 300 --blocks 4 --mixing 0.1 --size-exponent 2 --degree-exponent 2.5 --not-stated 0.1 --communities out/who.txt -o out/net.txt -q
cat >commands <<'END'
anonymize -k 2 -o out.txt --communities-in-graph
anonymize -k 2 -o out.graphml
anonymize -k 2 -o out.txt --output-format gml
verify net.txt -k 2 --map release.map --name-attribute x
check --community-attribute x
check --encoding latin-1
stats --format graphml
END
some commands >tried
while read -r command rest; do
    # shellcheck disable=SC2086
    refused "" "$command" net.txt -c who.txt $rest
done <tried
refused "standard input" stats - -c who.txt
mkfifo pipe
refused "a pipe" stats pipe
absent out.txt out.graphml

# --- what is wrong is told as ksda tells it, by one process
printf 'Dear Madam,\n\nHello.\n' >letter.txt
printf '1 2\n2 a\0b\n' >nul.edges
printf '# only\n# comments\n' >comments.edges
printf '1 a\n2 b\n3 a\n2 c\n' >twice.communities
printf '1 a\n2 b\n' >few.communities
printf '1 2\n2 3\n3 1\n' >g.edges
RANKS=2 equal 3 anonymize g.edges -c few.communities -k 1 -o out.txt
RANKS=$few
cat >commands <<'END'
3 stats nul.edges
3 stats letter.txt
3 stats comments.edges
3 anonymize g.edges -c twice.communities -k 1 -o out.txt
3 verify g.edges g.edges -c twice.communities -k 1 --map who.txt
2 check net.txt -c who.txt -k 9
2 check net.txt -c who.txt -k 0
2 stats net.txt --columns a
1 anonymize net.txt -c who.txt -k 2 -o nowhere/out.txt
2 anonymize net.txt -c who.txt -k 2 -o net.txt
END
some commands >tried
while read -r code command; do
    # shellcheck disable=SC2086
    equal "$code" $command
done <tried
absent out.txt
