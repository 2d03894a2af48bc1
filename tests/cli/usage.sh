# The command line itself: every form of an option, and every way to get one wrong.
. "$SOURCE/tests/support/cli.sh"

# forms of an option
for form in "-k 2" "-k2"; do
    # shellcheck disable=SC2086
    expect 4 ksda check builtin:lesmis $form
    says stdout "not 2-structurally diverse"
done
expect 0 ksda check builtin:lesmis -k1 --top=3
expect 0 ksda check --top 3 -k 1 -- builtin:lesmis
expect 0 ksda check -qk1 builtin:lesmis
expect 0 ksda check builtin:lesmis -k 2 -h
says stdout "Usage: ksda check"

# numbers
for bad in 0 -1 x 1x "" " 1" 1.5 0x2 +1 4294967296 99999999999999999999999; do
    expect 2 ksda check builtin:lesmis -k "$bad"
    usage_error "-k"
done
expect 2 ksda check builtin:lesmis -k 0
usage_error "0 is too small; at least 1"
expect 2 ksda check builtin:lesmis -k 4294967296
usage_error "4294967296 is too large; at most 4294967295"
expect 2 ksda check builtin:lesmis -k two
usage_error "'two' is not a whole number"
expect 2 ksda check builtin:lesmis -k 5
matches stderr '^ksda: k .*5.*communities.*4'
one_message
expect 2 ksda anonymize builtin:lesmis -k 5 -o out.edges
matches stderr '^ksda: k .*5.*communities|^ksda: k .*5.*4'
absent out.edges
for bad in -1 x inf nan 1e999 "" "1 "; do
    expect 2 ksda anonymize builtin:lesmis -k 2 --split-weight "$bad"
    usage_error "--split-weight"
done

# names
expect 2 ksda
says stderr "Usage: ksda COMMAND"
expect 2 ksda anonymise
usage_error "did you mean 'anonymize'?"
expect 2 ksda xyzzy
usage_error "unknown command 'xyzzy'"
expect 2 ksda -k 2
usage_error "options stand after the command"
expect 2 ksda check builtin:lesmis --tpo 3
usage_error "unknown option '--tpo'; did you mean '--top'?"
expect 2 ksda check builtin:lesmis --top
usage_error "option '--top' needs a value"
expect 2 ksda check builtin:lesmis --json=yes
usage_error "takes no value"
expect 2 ksda check builtin:lesmis -Z
usage_error "unknown option '-Z'"
expect 2 ksda check builtin:lesmis other.edges
usage_error "unexpected argument 'other.edges'"
expect 2 ksda check
usage_error "GRAPH is missing"
expect 2 ksda anonymize builtin:lesmis
usage_error "option '-k K' is missing"
expect 2 ksda anonymize builtin:lesmis -k 2 -m edge-conect
usage_error "did you mean 'edge-connect'?"
expect 2 ksda check builtin:lesmis --format pdf
usage_error "--format: 'pdf' is none of"
expect 2 ksda check builtin:nowhere
usage_error "builtin:lesmis and builtin:karate"
expect 2 ksda check builtin:lesmis --detect metis
usage_error "neither 'leiden' nor 'metis:N'"
expect 2 ksda check builtin:lesmis --detect metis:0
usage_error "neither 'leiden' nor 'metis:N'"
printf '1 2\n' >g.edges
expect 2 ksda check g.edges
usage_error "what are the communities?"
expect 2 ksda check g.edges -c g.communities --detect leiden
usage_error "only one of"
expect 2 ksda generate rmat --edges 10
usage_error "Give either --scale"
expect 2 ksda generate rmat --edges 10 --scale 5 --blocks 3 --communities c
usage_error "3 is not a power of two"
expect 2 ksda generate rmat --edges 10 --scale 5 -a 0.9
usage_error "sum to 1.45, not 1"
expect 2 ksda generate rmat --edges 10 --scale 5 --probabilities 0.5,0.5
usage_error "four numbers"
expect 2 ksda generate planted --edges 10 --vertices 20
usage_error "Give --blocks N"
expect 2 ksda generate planted --edges 10 --blocks 2
usage_error "Give --vertices N"
expect 2 ksda generate planted --edges 10 --vertices 20 --blocks 2 -a 0.5
usage_error "not for the model planted"
expect 2 ksda generate rmat --edges 10 --scale 5 --mixing 0.1
usage_error "not for the model rmat"

# asked-for help goes to stdout with exit 0, for every command
ksda help --names >names
[ "$(wc -l <names)" -ge 11 ] || fail "too few commands"
while read -r name; do
    expect 0 ksda "$name" -h
    silent stderr
    says stdout "Usage: ksda $name"
    expect 0 ksda "$name" --help
    silent stderr
    says stdout "Example:"
    cp stdout long
    expect 0 ksda help "$name"
    same stdout long
done <names
for word in --version -V version; do
    expect 0 ksda "$word"
    matches stdout '^ksda [0-9]+\.[0-9]+\.[0-9]+$'
done
for word in --help -h help; do
    expect 0 ksda "$word"
    says stdout "anonymize"
done
