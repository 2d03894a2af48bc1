#!/usr/bin/env bash
# Is the release of ksda-mpi that of ksda, to the byte? bench/cluster_same.sh BUILD DATA
# On every network of DATA (GRAPH.edges, plain or gzipped, with the communities files that begin with its name) and on
# R-MAT with 2^20 edges, with each MPI that ksda-mpi was built for, on 1, 2, 3, 4 and 7 processes (RANKS says others),
# rows left where they are, which ksda-mpi does with large networks only. Prints a line for each network and MPI, and fails
# where anything differs.
set -eu
shopt -s nullglob
build=$(realpath "$1")
data=$(realpath "$2")
export KSDA_MPI_WHOLE=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
differ=0
ranks=${RANKS:-1 2 3 4 7}

# compare NAME K: net.txt with who.txt
compare() {
    local options="-c who.txt -k $2 --unassigned together --no-proof --seed 1 --insecure-ids --force -q"
    # shellcheck disable=SC2086
    "$build/ksda" anonymize net.txt $options -o wanted.txt --map wanted.map 2>/dev/null || return 1
    for mpi in openmpi:ksda-mpi mpich:ksda-mpi-mpich; do
        [ -x "$build/${mpi#*:}" ] || continue
        local start="mpirun.${mpi%:*}" same=
        [ "${mpi%:*}" = mpich ] || start="$start --oversubscribe"
        for p in $ranks; do
            rm -f got.txt got.map
            # shellcheck disable=SC2086
            $start -n "$p" "$build/${mpi#*:}" anonymize net.txt $options -o got.txt --map got.map 2>log || true
            if cmp -s got.txt wanted.txt && cmp -s got.map wanted.map; then same="$same $p"; else differ=1; fi
        done
        echo "| $1 | $2 | ${mpi%:*} |$same |"
    done
}

echo "| network | k | MPI | the same on so many processes |"
echo "|---|---|---|---|"
for graph in "$data"/*.edges "$data"/*.edges.gz; do
    name=$(basename "$graph" .gz)
    name=${name%.edges}
    zcat -f "$graph" >net.txt
    for communities in "$data/$name".communities* "$data/$name".*.communities*; do
        case $communities in *.overlap.*) continue ;; esac
        zcat -f "$communities" >who.txt
        name_of=$(basename "${communities%.communities*}")
        compare "$name_of" 3 || compare "$name_of" 2 || { # two communities: k = 2
            echo "| $name_of | | no release | |"
            differ=1
        }
    done
done
"$build/ksda" generate rmat --scale 16 --edges 1048576 --blocks 64 --communities who.txt -o net.txt --seed 1 -q
compare "R-MAT, 2^20 edges" 10
exit $differ
