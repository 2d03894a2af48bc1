#!/usr/bin/env bash
# What ksda-mpi takes beside ksda, on R-MAT networks: bench/cluster.sh BUILD [LOG2 EDGES ...] (default 20 22)
# Prints, as Markdown, wall and processor seconds, the largest memory of a process, bytes sent for every edge, and
# whether the release is the same. RANKS="1 2" says how many processes; MPIRUN how they are started.
set -eu
build=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 20 22
export KSDA_MPI_STATS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
options="-c who.txt -k 10 --seed 1 --insecure-ids --force -q"
echo "| edges | program | wall s | CPU s | MiB a process | bytes sent an edge | same release |"
echo "|---|---|---|---|---|---|---|"
for bits in "$@"; do
    "$build/ksda" generate rmat --scale $((bits - 4)) --edges $((1 << bits)) --blocks 64 --communities who.txt -o net.txt --seed 1 -q
    # shellcheck disable=SC2086
    /usr/bin/time -o time -f '%e %U %S %M' "$build/ksda" anonymize net.txt $options -o wanted.txt --map wanted.map --threads 2 2>/dev/null
    awk -v b="$bits" '{ printf "| 2^%d | ksda, 2 threads | %.1f | %.1f | %.0f | | |\n", b, $1, $2 + $3, $4 / 1024 }' time
    for p in ${RANKS:-1 2}; do
        # shellcheck disable=SC2086
        /usr/bin/time -o time -f '%e' ${MPIRUN:-mpirun --oversubscribe} -n "$p" "$build/ksda-mpi" anonymize net.txt $options -o got.txt --map got.map 2>log
        same=no
        cmp -s got.txt wanted.txt && cmp -s got.map wanted.map && same=yes
        grep 'ksda-mpi: process' log | tr -d , | awk -v b="$bits" -v p="$p" -v wall="$(cat time)" -v same=$same '
            { sent += $6; if ($9 > most) most = $9; cpu += $13 }
            END { printf "| 2^%d | ksda-mpi, %d processes | %.1f | %.1f | %.0f | %.1f | %s |\n", b, p, wall, cpu, most / 1024, sent / 2 ^ b, same }'
    done
done
