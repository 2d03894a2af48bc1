# The charts, as charts.c wants them.
include "lib";
include "claims";

def line($m; $points): {label: $m.title, style: $m.style, points: $points};
def against_k($id; $measure):
  points($id) as $p | info($id) as $n | ($measure.factor // 1) as $f
  | {file: "\($id)-\($measure.name | gsub("_"; "-")).svg", title: "\($n.title): \($measure.title)", x: {label: "k"}, y: {label: ($measure.unit // "")},
     reference: (original($id)[$measure.name] | if . == null then null else {value: (. * $f), label: "original"} end),
     lines: [there($id)[] | . as $m | line($m; [$p[] | select(.m == $m.name) | [.k, (if .ok and .v[$measure.name] != null then .v[$measure.name] * $f else null end)]])]};

def violations($id):
  .["main-" + $id].vertices as $n | points($id) as $p
  | {file: "\($id)-violations.svg", title: "\(info($id).title): vertices that violate k-structural diversity", x: {label: "k"}, y: {label: "% of all vertices"},
     lines: [{label: "original", style: 10, points: [.["violations-" + $id][] | [.k, 100 * .violating_vertices / $n]]},
       ("k-degree", "level-plan") as $m | line(method($m); [$p[] | select(.m == $m and .ok) | [.k, 100 * .v.violating_vertices / ($n + .ns)]])]};

def released: ["k-degree", "edge-connect", "create-by-split", "merge-by-split", "flex-split", "level-plan"];
def spread($id): info($id).chosen as $k | . as $all
  | {file: "\($id)-spread.svg", title: "\(info($id).title): communities of each degree, k = \($k)", x: {label: "degree", log: true}, y: {label: "communities"},
     reference: {value: $k, label: "k = \($k)"},
     lines: [("original", "k-degree", "level-plan") as $m | $all["groups-\($id)-\($m)"].groups
       | select(length > 0) | {label: (if $m == "original" then $m else method($m).title end), style: (if $m == "original" then 10 else method($m).style end), marks: true, points: map([.degree, .communities])}]};
# how many have at least this degree: a line that does not jump where few vertices are
def frequency($id): . as $all
  | {file: "\($id)-degrees.svg", title: "\(info($id).title): degree distribution at k = \(info($id).chosen)", x: {label: "degree", log: true}, y: {label: "vertices of at least this degree", log: true},
     lines: [("original", released[]) as $m | $all["groups-\($id)-\($m)"].groups | select(length > 0) | sort_by(-.degree)
       | {label: (if $m == "original" then $m else method($m).title end), style: (if $m == "original" then 10 else method($m).style end),
          points: [foreach .[] as $g (0; . + $g.vertices; [$g.degree, .])]}]};

def curve($id): info($id).chosen as $k | points($id) as $p | .["weights-" + $id] as $w
  | {file: "\($id)-curve.svg", title: "\(info($id).title): adding against splitting, k = \($k)", x: {label: "vertices added by splitting", zero: true}, y: {label: "edges added", zero: true},
     lines: [{label: "LevelPlan, ω = \($w[0].weight) to |V|²", style: 0,
              points: [$w[] | select(.added_edges != null) | [.added_vertices, .added_edges]] | sort},
       (papers_six[] as $m | at($p; $m; $k) | select(.ok) | method($m) as $t | {label: $t.title, style: $t.style, marks: true, points: [[.ns, .na]]})]};

def success: rates as $r | . as $all
  | ["level-plan", "edge-connect", "inverse-edge-connect", "create-by-split", "merge-by-split", "flex-split", "splitting-only"] as $m
  | {file: "success.svg", title: "Releases found, of all instances", x: {label: "method", names: ($m | map(method(.).short))}, y: {label: "%"},
     lines: [networks | to_entries[] | .key as $i | .value as $id | {label: ($all | title($id)), style: ([6, 1, 2, 0, 5][$i]), marks: true,
       points: [$m | to_entries[] | .key as $x | .value as $name | ($r[] | select(.id == $id and .m == $name) | [$x + ($i - 1.5) * 0.15, 100 * .ok / .of])]}]};

def sensitivity($id): . as $all | (if $id == "dblp" then 8 else 2 end) as $k
  | measures[] | select(.name | . == "clustering" or . == "aspl" or . == "degree_centralization" or . == "eigenvector_correlation") | . as $measure
  | {file: "sensitivity-\($measure.name | gsub("_"; "-")).svg", title: "\($all | title($id)): \($measure.title), k = \($k)", x: {label: "communities found by METIS"}, y: {label: ($measure.unit // "")},
     reference: ($all | original($id)[$measure.name] | if . == null then null else {value: ., label: "original"} end),
     lines: [("level-plan", "edge-connect", "create-by-split", "merge-by-split", "flex-split") as $m
       | line(method($m); [$all | to_entries[] | select(.key | startswith("sensitivity-" + $id + "-")) | .value as $s | $s.points[] | select(.method == $m and .k == $k) | [$s.communities, ((.measures // {}) + (.differences // {}))[$measure.name]]] | sort)]};

# Sizes as they were asked for: the number in the name of the step, or two to the power of it.
def scale($prefix; size; $k; $file; $title; $log):
  [to_entries[] | select(.key | startswith($prefix)) | .value + {asked: (.key | ltrimstr($prefix) | tonumber | size)}] | sort_by(.asked) | . as $s | select(length > 0)
  | {file: $file, title: $title, x: {label: "vertices", log: $log}, y: {label: "seconds, one thread", log: true},
     lines: [{label: "loading the file", style: 10, points: ($s | map([.asked, .seconds.load]))},
       (methods[] | select(.name | . != "optimal" and . != "unproved" and . != "level-plan@20") | . as $m
        | line($m; [$s[] | .asked as $n | .points[] | select(.method == $m.name and .k == $k) | [$n, .seconds]]))]};

. as $all
| [($all | networks[]) as $id | $all | violations($id), against_k($id; measures[]), spread($id), frequency($id), curve($id)]
  + [$all | success]
  + [$all | ("dblp", "karate") as $id | select(any(keys[]; startswith("sensitivity-" + $id))) | sensitivity($id)]
  + [$all | scale("scale-"; .; if .["scale-2000"] then 4 else 10 end; "scale-paper.svg"; "R-MAT as in the paper, 20 communities, k = 10"; false),
     scale("rmat-"; pow(2; .); if .["rmat-10"] then 4 else 10 end; "scale-large.svg"; "R-MAT with 16 edges a vertex, 64 communities, k = 10"; true)]
| map(.lines |= map(select(.points | any(.[1] != null))) | select(.lines | length > 0))
