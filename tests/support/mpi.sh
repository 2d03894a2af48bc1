# Helpers for tests of ksda-mpi, sourced after cli.sh.
mpi="$(dirname "$KSDA")/${MPI_PROGRAM:-ksda-mpi}"
[ -x "$mpi" ] || skip "$(basename "$mpi") was not built: no such MPI was found"
case $(grep KSDA_SANITIZE: "$BUILD/CMakeCache.txt") in *=*thread*) skip "the thread sanitizer does not know what MPI does" ;; esac
# the MPI that it was built with
if ldd "$mpi" | grep -q libmpich; then start=$(command -v mpirun.mpich || command -v mpirun); else start=$(command -v mpirun.openmpi || command -v mpirun); fi || true
[ -n "$start" ] || skip "no mpirun"
case "$start" in *openmpi*) more=--oversubscribe ;; *) more= ;; esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1

# on P ARGUMENTS...: ksda-mpi on so many processes; 0 is one alone that nobody starts, which takes less time
on() {
    local p=$1
    shift
    if [ "$p" = 0 ]; then
        timeout -k 10 120 "$mpi" "$@"
        return
    fi
    # shellcheck disable=SC2086
    timeout -k 10 120 "$start" $more -n "$p" "$mpi" "$@"
}
# What the launcher says when an exit code is not 0 does not count.
own_messages() { grep '^ksda: ' stderr >"$1" || true; }

# some_of WORD...: all of them, or under sanitizers the last one
watched=
if sanitized; then watched=yes; fi
some_of() { if [ "$watched" ]; then echo "${@: -1}"; else echo "$@"; fi; }

# equal CODE COMMAND...: the command answers alike, with the same code and messages, on $RANKS processes
equal() {
    local code=$1
    shift
    expect "$code" ksda "$@"
    mv stdout wanted
    own_messages wanted.messages
    for p in ${RANKS:-$(some_of 1 7 4)}; do
        expect "$code" on "$p" "$@"
        same stdout wanted
        own_messages messages
        same messages wanted.messages
    done
}
