#!/usr/bin/env bash
# Install what is missing on a Debian machine. Usage: setup.sh build|test|deb
#   build: what the library and the command need      test: also what tests, benchmarks and fuzzers need
#   deb: what building the Debian packages and trying them in a clean root need
set -eu
build_packages="gcc cmake pkg-config zlib1g-dev libzstd-dev libexpat1-dev libjansson-dev libmicrohttpd-dev libmetis-dev coinor-libcbc-dev"
test_packages="python3-numpy python3-scipy python3-networkx python3-igraph python3-pandas python3-pytest python3-setuptools python3-pip python3-wheel glpk-utils libglpk-dev clang clang-format libclang-rt-dev libcmocka-dev libigraph-dev jq zstd gzip pandoc valgrind python3 python3-jsonschema python3-websocket binutils zsh fish libopenmpi-dev openmpi-bin libmpich-dev mpich"
deb_packages="mpi-default-dev git debhelper dpkg-dev fakeroot lintian pandoc debootstrap"
case "${1:-build}" in
build) wanted=$build_packages ;;
test) wanted="$build_packages $test_packages" ;;
deb) wanted="$build_packages $deb_packages" ;;
*) echo "usage: setup.sh build|test|deb" >&2; exit 2 ;;
esac

# A package is there when dpkg says so, or when another one provides it (libclang-rt-dev is libclang-rt-14-dev on Debian 12).
missing=""
for package in $wanted; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'install ok installed' && continue
    missing="$missing $package"
done
# A browser looks at the report in one test. It is large, and where it cannot be had that test says so and goes on.
browser=""
[ "${1:-build}" = test ] && ! command -v chromium >/dev/null && browser=chromium
[ -n "$missing$browser" ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "setup: please install the equivalents of:$missing" >&2
    exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: root or sudo is needed to install:$missing" >&2; exit 1; }
    sudo="sudo"
fi
echo "setup: installing$missing${browser:+ $browser}" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
[ -z "$missing" ] || $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
[ -z "$browser" ] || $sudo apt-get install -y -qq --no-install-recommends $browser >/dev/null ||
    echo "setup: $browser could not be installed; the report will not be looked at in a browser" >&2
