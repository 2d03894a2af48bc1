#!/usr/bin/env bash
# Build the Debian packages ksda, ksda-mpi, libksda0, libksda-dev and python3-ksda in the given folder and look at them with lintian.
# From a clone: the last commit; from the tarball of a release: what is here. Usage: deb.sh folder
set -eu
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(cat VERSION)
rm -rf "${to:?}/ksda-$version" "$to"/*ksda*_"$version"*
if [ -e .git ]; then
    tar -xzf "$(scripts/dist.sh "$to")" -C "$to"
else
    mkdir "$to/ksda-$version"
    tar -c --exclude='./build*' . | tar -x -C "$to/ksda-$version"
fi
cd "$to"
(cd "ksda-$version" && DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS:-parallel=$(nproc)} dpkg-buildpackage -us -uc) >build.log 2>&1 ||
    { tail -40 build.log >&2; echo "deb: failed; see $to/build.log" >&2; exit 1; }
rm -rf "ksda-$version"
lintian --fail-on error,warning --display-info --tag-display-limit 0 --allow-root "ksda_$version"_*.changes
ls "$to"/*.deb
