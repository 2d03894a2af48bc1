# A disk that is full, as disks are: a small file system in which the release, or what is written after it, does not fit. Where none
# can be mounted a limit on the size of files has to do.
. "$SOURCE/tests/support/cli.sh"
export KSDA_MPI_WHOLE=0

# fails_in FOLDER MESSAGE COMMAND...: exit 1, the message, and nothing in the folder but what was there
fails_in() {
    local folder=$1 message=$2
    shift 2
    find "$folder" | sort >before
    expect 1 "$@"
    says stderr "$message"
    find "$folder" | sort >after
    same after before
}

if [ -z "${KSDA_TEST_MOUNTS:-}" ]; then
    ksda generate rmat --scale 8 --edges 900 --blocks 4 --communities who.txt -o net.txt --seed 3 -q
    ksda anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -o wanted.txt --map wanted.map -q
    mkdir limited disk
    trap '' XFSZ # the write fails instead
    blocks=$(($(stat -c %s wanted.txt) / 1024))
    (ulimit -f "$blocks" && fails_in limited "File too large" ksda anonymize net.txt -c who.txt -k 3 -m flex-split -o limited/p.txt --map limited/m.txt -q)
    for enter in "unshare -m" "unshare -rm"; do
        # shellcheck disable=SC2086
        $enter mount -t tmpfs -o size=64k none disk 2>/dev/null || continue
        # shellcheck disable=SC2086
        KSDA_TEST_MOUNTS=1 exec $enter bash -eu "$0"
    done
    skip "no file system can be mounted here: disks that are full were tried as a limit on files only"
fi

# in_disk KIB FUNCTION: with a disk of that size, which is empty
in_disk() {
    mount -t tmpfs -o size="$1k" none disk
    "$2"
    umount disk
}
pages() { echo $((($(stat -c %s "$1") + 4095) / 4096)); }
full="No space left on device"
release="anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -q --map disk/m.txt -o"
need=$((4 * ($(pages wanted.txt) + $(pages wanted.map))))
# shellcheck disable=SC2086
too_small() { fails_in disk "$full" "${command[@]}" $release disk/p.txt; }
# shellcheck disable=SC2086
too_small_for_parts() { fails_in disk "$full" "${command[@]}" $release disk/parts/; }
# shellcheck disable=SC2086
old_stays() { # what was there before is what is there afterwards
    echo old >disk/p.txt
    fails_in disk "$full" "${command[@]}" $release disk/p.txt --force
    [ "$(cat disk/p.txt)" = old ] || fail "the old release was touched"
}
# shellcheck disable=SC2086
large_enough() {
    expect 0 "${command[@]}" $release disk/p.txt
    same disk/p.txt wanted.txt
    same disk/m.txt wanted.map
}

command=(ksda)
for kib in 4 $((need - 4)); do in_disk "$kib" too_small; done
in_disk "$need" old_stays
in_disk "$need" large_enough
. "$SOURCE/tests/support/mpi.sh"
command=(on 2)
for kib in $(some_of 4 $((need - 4))); do in_disk "$kib" too_small; done
in_disk 4 too_small_for_parts
