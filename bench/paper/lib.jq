# What figures, claims and page share: the methods, the points of a network, and numbers as people write them.
# `.` is everywhere the object of all results, by the name of the step that made them.

def methods: [
  {name: "level-plan", title: "LevelPlan", short: "LevelPlan", style: 0},
  {name: "level-plan@20", title: "LevelPlan, ω = 20", short: "LevelPlan, ω = 20", style: 9},
  {name: "edge-connect", title: "EdgeConnect (EC)", short: "EC", style: 1},
  {name: "inverse-edge-connect", title: "InverseEdgeConnect (IEC)", short: "IEC", style: 2},
  {name: "create-by-split", title: "CreateBySplit (CBS)", short: "CBS", style: 3},
  {name: "merge-by-split", title: "MergeBySplit (MBS)", short: "MBS", style: 4},
  {name: "flex-split", title: "FlexSplit (FS)", short: "FS", style: 5},
  {name: "splitting-only", title: "SplittingOnly (Sonly)", short: "Sonly", style: 6},
  {name: "k-degree", title: "k-degree anonymity", short: "k-degree", style: 7},
  {name: "optimal", title: "optimum, proved", short: "optimum", style: 8},
  {name: "unproved", title: "best known, not proved", short: "best known", style: 11}];
def method($name): methods[] | select(.name == $name);
def papers_six: ["edge-connect", "inverse-edge-connect", "create-by-split", "merge-by-split", "flex-split", "splitting-only"];

def measures: [
  {name: "clustering", title: "clustering coefficient (CC)", digits: 4},
  {name: "aspl", title: "average shortest path length (ASPL)", unit: "hops", digits: 4},
  {name: "betweenness_centralization", title: "betweenness centralization (BC)", digits: 3},
  {name: "degree_centralization", title: "degree centralization (DC)", digits: 4},
  {name: "eigenvector_correlation", title: "eigenvector centrality correlation", digits: 4},
  {name: "degree_emd", title: "distance of the degree distributions", unit: "degrees", digits: 3},
  {name: "detection_accuracy", title: "community detection accuracy", digits: 3},
  {name: "disconnected_pairs", title: "connected pairs disconnected", unit: "%", factor: 100, digits: 3},
  {name: "added_edges_share", title: "new edges", unit: "% of all edges", factor: 100, digits: 3},
  {name: "split_vertices_share", title: "vertices split", unit: "% of all vertices", factor: 100, digits: 3},
  {name: "substitutes", title: "substitutes of a split vertex", unit: "mean number", digits: 3}];

# --- numbers ---
def fix($d): # exactly $d digits after the point
  pow(10; $d) as $p | (. * $p | round) as $i | (if $i < 0 then "-" else "" end) + ($i | fabs | . as $a | ($a / $p | floor | tostring) as $whole
  | if $d == 0 then $whole else $whole + "." + (($a - (($a / $p | floor) * $p)) | tostring | ("0" * ($d - length)) + .) end);
def grouped: # 12,345
  tostring | [while(length > 0; .[:-3])] | map(.[-3:]) | reverse | join(",");
def sig($n): # $n significant digits
  if . == null then "–" elif . == 0 then "0" else (fabs | log10 | floor) as $e | if $e >= $n - 1 and $e >= 3 then round | grouped
  elif $e < -6 then tostring else fix([$n - 1 - $e, 0] | max) end end;
def percent($d): if . == null then "–" else (. * 100 | fix($d)) + " %" end;
def signed($d): if . == null then "–" else (if . > 0 then "+" else "" end) + (. * 100 | fix($d)) + " %" end;

# --- points ---
def networks: . as $all | ["lesmis", "airport", "karate", "dblp", "condmat"] | map(select($all["network-" + .] and $all["main-" + .]));
def info($id): .["network-" + $id];
def raw_points($id):
  (.["main-" + $id].points // []), (.["w20-" + $id].points // [] | map(.method = "level-plan@20")), 
  (.["optimal-" + $id].points // [] | map(if .outcome == "limit" then .method = "unproved" else . end));
# {m, k, ok, limit, na, ns, cost, bound, seconds, v: all measures and differences by name}
def points($id): [raw_points($id)[] | {m: .method, k, ok: (.outcome == "done" or .outcome == "limit"), limit: (.outcome == "limit"), na: .added_edges,
  ns: .added_vertices, cost, bound: .lower_bound, seconds, weight: .split_weight, v: ((.measures // {}) + (.differences // {}))}];
def original($id): .["main-" + $id].original;
def ks($id): points($id) | map(.k) | unique;
def there($id): points($id) | map(.m) | unique as $m | methods | map(select(.name as $n | $m | any(. == $n)));
def at($points; $m; $k): first($points[] | select(.m == $m and .k == $k)) // null;
def best_known($points; $k): at($points; "optimal"; $k) // at($points; "unproved"; $k);
