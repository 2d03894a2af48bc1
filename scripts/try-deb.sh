#!/usr/bin/env bash
# Install the packages of `make deb` in a clean Debian root and use them there: check, anonymize and verify, the man page,
# an example compiled against libksda-dev, and ksda-mpi on two processes. Usage: try-deb.sh folder-with-packages [folder-for-the-root]
# Needs root, debootstrap and a Debian mirror (that of this machine, or $MIRROR). A root that was made once, in the second
# argument, is used again.
set -eu
packages=$(cd "${1:?usage: try-deb.sh folder-with-packages [folder-for-the-root]}" && pwd)
[ "$(id -u)" = 0 ] || { echo "try-deb: changing the root needs root" >&2; exit 1; }
ls "$packages"/ksda_*.deb "$packages"/ksda-mpi_*.deb "$packages"/libksda0_*.deb "$packages"/libksda-dev_*.deb >/dev/null
# shellcheck disable=SC1091
suite=${SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=${MIRROR:-http://deb.debian.org/debian}
root=${2:-}
if [ -z "$root" ]; then
    root=$(mktemp -d /tmp/ksda-root.XXXXXX)
    trap 'rm -rf "$root"' EXIT
fi
if [ ! -x "$root/usr/bin/apt-get" ]; then
    echo "try-deb: a clean $suite in $root"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { tail -20 "$root.log" >&2; exit 1; }
    rm -f "$root.log"
    cp /etc/resolv.conf "$root/etc/"
fi
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} chroot "$root" "$@"; }
rm -rf "$root/packages" && mkdir "$root/packages"
cp "$packages"/*ksda*.deb "$root/packages/"

echo "try-deb: the command by itself"
inside sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends /packages/ksda_*.deb' >/dev/null 2>"$root/packages/log" ||
    { cat "$root/packages/log" >&2; exit 1; }
inside sh -eux -c '
    rm -rf /tmp/try && mkdir /tmp/try && cd /tmp/try
    ksda version
    ksda help exit-codes >/dev/null
    ! ksda check builtin:lesmis -k 3 --json >before.json
    ksda anonymize builtin:lesmis -k 3 -o published.edges --map private.map --publish-communities published.communities
    ksda verify builtin:lesmis published.edges --map private.map -k 3
    ksda check published.edges -c published.communities -k 3 --top 0
    ksda detect builtin:karate -m metis:3 -o found.communities
    ksda optimal builtin:karate -k 2 -o optimal.edges
    test "$(stat -c %a private.map)" = 600'

echo "try-deb: the library, for a program that is compiled there"
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/libksda0_*.deb /packages/libksda-dev_*.deb gcc libc6-dev pkg-config' >/dev/null 2>"$root/packages/log" ||
    { cat "$root/packages/log" >&2; exit 1; }
inside sh -eux -c '
    cd /tmp/try && cp /usr/share/doc/libksda-dev/examples/* .
    cc one_call.c $(pkg-config --cflags --libs ksda) -o one_call
    ./one_call network.edges 2 one.edges one.map
    cc step_by_step.c $(pkg-config --cflags --libs ksda) -o step_by_step
    ./step_by_step network.edges network.communities 2 out.edges out.map out.html
    ldd one_call | grep libksda.so.0'

echo "try-deb: two processes"
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/ksda-mpi_*.deb' >/dev/null 2>"$root/packages/log" ||
    { cat "$root/packages/log" >&2; exit 1; }
inside sh -eux -c '
    cd /tmp/try && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    two() { mpirun --oversubscribe -n 2 ksda-mpi "$@"; }
    two generate rmat --scale 8 --edges 900 --blocks 4 --communities who.txt -o net.txt
    two anonymize net.txt -c who.txt -k 2 -o many.txt --map many.map
    ksda verify net.txt many.txt -c who.txt --map many.map -k 2'

echo "try-deb: removed again, without a trace"
inside sh -c 'apt-get purge -y -qq ksda ksda-mpi libksda0 libksda-dev' >/dev/null 2>&1
left=$(find "$root/usr" -name '*ksda*' -print -quit)
[ -z "$left" ] || { echo "try-deb: left behind: $left" >&2; exit 1; }
echo "try-deb: all is well"
