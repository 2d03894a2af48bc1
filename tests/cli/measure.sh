# measure and compare: the fields people script against, what sampling says, and mistakes on the command line.
. "$SOURCE/tests/support/cli.sh"

field() { python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))
for name in sys.argv[2].split("."): value = value[name]
print(value)' "$1" "$2"; }

expect 0 ksda measure builtin:lesmis -k 2 --json
for name in schema vertices edges communities clustering global_clustering aspl effective_diameter diameter closeness degree_centralization \
    betweenness_centralization betweenness_mean spectral_radius assortativity degeneracy mean_coreness modularity violating_vertices \
    largest_k exact seconds.aspl seconds.betweenness_centralization seconds.total; do
    field stdout $name >/dev/null || fail "measure --json lacks $name"
done
[ "$(field stdout exact)" = True ] || fail "lesmis is small enough to be exact"
[ "$(field stdout vertices)" = 77 ] || fail "lesmis has 77 vertices"
python3 - <<'PY' || fail "values of lesmis"
import json
m = json.load(open("stdout"))
assert abs(m["clustering"] - 0.7355255) < 1e-6 and abs(m["aspl"] - 2.6411483) < 1e-6
assert abs(m["betweenness_centralization"] - 0.5553190) < 1e-6 and m["diameter"] == 5 and m["degeneracy"] == 9
PY

# the number of threads changes nothing but the seconds
for threads in 1 2 8; do ksda measure builtin:lesmis --threads $threads | grep -v seconds >threads.$threads; done
same threads.1 threads.2
same threads.1 threads.8

# only what was asked for
expect 0 ksda measure builtin:karate --only aspl,clustering --json
[ "$(field stdout degree_centralization)" = None ] || fail "--only computes the rest too"
expect 2 ksda measure builtin:karate --only aspll
says stderr "did you mean 'aspl'?"
expect 2 ksda measure builtin:karate --exact --samples 10
says stderr "contradict"

# a network large enough to be sampled says so, with its interval
ksda generate rmat --scale 13 --edges 20000 -o large.edges --quiet
expect 0 ksda measure large.edges --samples 100 --only aspl,betweenness_centralization --json
[ "$(field stdout exact)" = False ] || fail "sampled values are called exact"
[ "$(field stdout samples)" = 100 ] || fail "samples"
python3 - <<'PY' || fail "intervals"
import json
m = json.load(open("stdout"))
for name in ("aspl", "betweenness_centralization"):
    assert m["intervals"][name]["low"] < m[name] < m["intervals"][name]["high"]
PY
expect 0 ksda measure large.edges --betweenness-samples 64 --only aspl,betweenness_centralization --json
[ "$(field stdout samples) $(field stdout betweenness_samples)" = "0 64" ] || fail "betweenness samples"
expect 2 ksda measure large.edges --exact --betweenness-samples 50
says stderr "contradict"
expect 0 ksda measure large.edges --samples 100 --only aspl
matches stdout 'sampled, 95 %: .* \.\. '
expect 0 ksda measure large.edges --exact --only aspl
matches stdout ' exact$'

# a release that adds edges and splits vertices, beside its original
ksda anonymize builtin:lesmis -k 2 -m flex-split -o published.edges --map private.map --summary summary.json --quiet
expect 0 ksda compare builtin:lesmis published.edges --map private.map -k 2 --json
python3 - <<'PY' || fail "compare does not agree with the summary"
import json
c, s = json.load(open("stdout")), json.load(open("summary.json"))
assert c["added_edges"] == s["added_edges"] and c["added_vertices"] == s["added_vertices"] and c["cost"] == s["cost"]
assert c["removed_edges"] == 0 and c["exact"] is True and c["detector"] == "metis" and c["parts"] == s["communities"]
assert c["published"]["violating_vertices"] == 0 < c["original"]["violating_vertices"]
assert c["published"]["vertices"] == 77 + s["added_vertices"] and -1 <= c["eigenvector_correlation"] <= 1
for name in ("degree_ks", "joint_degree_distance", "core_ks", "detection_accuracy", "detection_nmi", "given_accuracy", "disconnected_pairs"):
    assert 0 <= c[name] <= 1, name
PY
expect 0 ksda compare builtin:lesmis published.edges --map private.map --redetect leiden
says stdout "detected by Leiden"
expect 2 ksda compare builtin:lesmis published.edges --map private.map --redetect louvain
says stderr "--redetect"
expect 2 ksda compare builtin:lesmis published.edges
says stderr "--map"
