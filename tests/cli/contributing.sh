# The recipes of CONTRIBUTING.md, done to the letter in a copy of the tree: a measure, a format, a method, an attacker, a
# solver, an option and a section of the report are there afterwards, and the folders still point one way.
. "$SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null && command -v cmake >/dev/null || skip "no python3 or no cmake"
mkdir copy
tar -C "$SOURCE" -c CMakeLists.txt VERSION LICENSE README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md ksda.pc.in cmake include src cli mpi docs bench/paper scripts examples | tar -C copy -x
python3 "$SOURCE/tests/support/recipes.py" copy/CONTRIBUTING.md copy >done || fail "a recipe does not fit"
for what in 'new src/measure/density.c' 'src/measure/rows.def' 'new src/io/psv.c' 'src/io/formats.h' 'new src/methods/as_is.c' 'new src/attack/inner_degree.c' 'new src/lp/solver_trial.c'; do says done "$what"; done
# a measure, a format, an attacker and a solver are one file and one row each
for folder in measure io attack lp; do [ "$(grep -c "^src/$folder/\|^new src/$folder/" done)" = 2 ] || fail "more than a file and a row in $folder"; done

# quick to build rather than quick to run
{ cmake -S copy -B copy/build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 && cmake --build copy/build -j2 --target ksda; } >log 2>&1 ||
    { grep -E "error:" log | head; tail -5 log; fail "the copy does not build"; }
if grep -E "/src/.*warning:|cmd_check.c.*warning:" log; then fail "a recipe is warned of"; fi
KSDA=$PWD/copy/build/ksda
python3 "$SOURCE/tests/support/layers.py" copy/build >layers || { cat layers; fail "a recipe points upwards"; }

# the measure: by itself, as JSON, of two networks, in a sweep
expect 0 ksda measure builtin:karate --only density
matches stdout '^ *Density +0\.139'
expect 0 ksda measure builtin:karate --only density,mean_degree --json
matches stdout '"density": 0\.139'
expect 2 ksda measure builtin:karate --only densty
says stderr "did you mean 'density'?"
expect 0 ksda sweep builtin:karate -k 2 -m flex-split --csv sweep.csv
matches sweep.csv '^method,.*,largest_k,density,eigenvector_correlation'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "density") at = i } NR > 1 && $at == "" { bad = 1 } END { exit bad }' sweep.csv || fail "no density in the sweep"

# the format: written by its ending, read by it, named by --format, in completions and messages
expect 0 ksda convert builtin:karate -o karate.psv
matches karate.psv '^[0-9]+\|[0-9]+$'
expect 0 ksda stats karate.psv --json
matches stdout '"format": "psv"'
ksda convert karate.psv -o back.edges && ksda convert builtin:karate -o there.edges && same back.edges there.edges
mv karate.psv karate.data
expect 0 ksda stats karate.data --format psv --json
matches stdout '"edges": 78'
ksda completion bash >completion
matches completion '\bpsv\b'
expect 2 ksda convert builtin:karate -o karate.xyz
says stderr "psv (.psv)"

# the method: listed, and run on a network that is diverse and one that is not
expect 0 ksda methods
says stdout "as-is"
expect 4 ksda anonymize builtin:karate -k 2 -m as-is -o none.edges --map none.map
says stderr "vertices are exposed"
ksda anonymize builtin:karate -k 2 -m flex-split -o p.edges --map p.map --publish-communities p.communities >/dev/null 2>&1
expect 0 ksda anonymize p.edges -c p.communities -k 2 -m as-is -o again.edges --map again.map
says stdout 'as-is: 0 edges added, no vertex split'

# the attacker: in the table, by itself, and he knows more than a degree
expect 0 ksda attack builtin:karate --only degree,inner_degree --json
matches stdout '"inner_degree": \{'
expect 0 ksda attack builtin:karate --only inner_degree
says stdout "Inner degree"

# the solver: listed, solves the paper's program of a small network as level-plan's bound says, and has no fast method
printf '1 2\n2 3\n4 5\n5 6\n4 6\n' >small.edges
printf '1 a\n2 a\n3 a\n4 b\n5 b\n6 b\n' >small.communities
expect 0 ksda version
says stdout trial
expect 0 ksda optimal small.edges -c small.communities -k 2 --solver trial -o best.edges --map best.map --json
matches stdout '"status": "optimal"'
matches stdout '"added_edges": 1\b'
expect 1 ksda optimal small.edges -c small.communities -k 2 --solver fast:trial -o best.edges --map best.map --force
says stderr "needs linear programs"

# the option and the section
expect 0 ksda check p.edges -c p.communities --just-k
matches stdout '^[0-9]+$'
ksda help --man check >page.md
says page.md just-k
expect 4 ksda check builtin:karate -k 2 --report page.html
says page.html "How large is the network?"
