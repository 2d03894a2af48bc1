# The release: its tarball is the same whenever it is made, knows its commit, and installs man pages without pandoc.
. "$SOURCE/tests/support/cli.sh"
[ -e "$SOURCE/.git" ] && git -C "$SOURCE" rev-parse HEAD >/dev/null 2>&1 || skip "not a clone of the repository"
command -v pandoc >/dev/null || skip "pandoc is not installed"
name=ksda-$(git -C "$SOURCE" show HEAD:VERSION)
"$SOURCE/scripts/dist.sh" "$PWD" >stdout 2>stderr
says stdout "$PWD/$name.tar.gz"
tar -xzf "$name.tar.gz"
for page in "$name"/docs/man/*.md; do
    page=$(basename "$page" .md)
    present "$name/man/man${page##*.}/$page"
done
commit=$(git -C "$SOURCE" rev-parse HEAD)
[ "$(cat "$name/cmake/COMMIT")" = "$commit" ] || fail "the tarball does not know its commit: $(cat "$name/cmake/COMMIT")"
cmake -DSOURCE="$PWD/$name" -DOUTPUT="$PWD/commit.h" -P "$name/cmake/commit.cmake"
says commit.h "\"${commit:0:12}\""
cmake -S "$name" -B out -DKSDA_BUILD_MAN=OFF >log 2>&1 || { cat log; exit 1; }
DESTDIR=$PWD/dest cmake --install out --prefix /usr --component man >log || { cat log; exit 1; }
present dest/usr/share/man/man1/ksda.1 dest/usr/share/man/man1/ksda-anonymize.1 dest/usr/share/man/man3/libksda.3 dest/usr/share/man/man5/ksda-formats.5
mkdir again
"$SOURCE/scripts/dist.sh" "$PWD/again" >/dev/null 2>&1
same "$name.tar.gz" "again/$name.tar.gz"
# a copy that is neither a clone nor a release says nothing
printf '$Format:%%H$\n' >"$name/cmake/COMMIT"
cmake -DSOURCE="$PWD/$name" -DOUTPUT="$PWD/commit.h" -P "$name/cmake/commit.cmake"
says commit.h "KSDA_COMMIT NULL"
