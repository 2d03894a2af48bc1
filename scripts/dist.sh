#!/usr/bin/env bash
# Make ksda-VERSION.tar.gz in the given folder: the last commit, with the man pages ready so that installing needs no pandoc.
# The same commit and the same pandoc give the same bytes. Usage: dist.sh folder
set -eu
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
for program in git pandoc; do command -v $program >/dev/null || { echo "dist: $program is not installed" >&2; exit 1; }; done
[ -e .git ] || { echo "dist: this is no clone of the repository" >&2; exit 1; }
git diff --quiet HEAD -- || echo "dist: there are changes that are not committed; they are left out" >&2
name=ksda-$(git show HEAD:VERSION)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git archive --prefix="$name/" HEAD | tar -x -C "$scratch"
for page in "$scratch/$name"/docs/man/*.md; do
    file=$(basename "$page" .md)
    mkdir -p "$scratch/$name/man/man${file##*.}"
    pandoc -s -f markdown-smart -t man "$page" -o "$scratch/$name/man/man${file##*.}/$file"
done
tar -c -C "$scratch" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$(git show -s --format=%ct HEAD)" "$name" |
    gzip -n -9 >"$to/.$name.tar.gz"
mv "$to/.$name.tar.gz" "$to/$name.tar.gz"
echo "$to/$name.tar.gz"
