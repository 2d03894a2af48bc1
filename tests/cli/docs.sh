# Links in the documents lead somewhere, here and where they are installed, and nothing unfinished is left in them.
. "$SOURCE/tests/support/cli.sh"
"$SOURCE/tests/support/links.sh" "$SOURCE"
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /usr --component doc >log || { cat log; exit 1; }
doc=$(dirname "$(find "$PWD/dest" -name CITATION.cff)")
present "$doc/README.md" "$doc/docs/privacy.md" "$doc/examples/one_call.c"
"$SOURCE/tests/support/links.sh" "$doc"
mkdir bad && echo 'See [this](there.md).' >bad/README.md
"$SOURCE/tests/support/links.sh" bad 2>stderr && fail "a link that leads nowhere was not found"
says stderr "there.md leads nowhere"
cd "$SOURCE"
# the files that documents name are there (build/ has programs, ctest calls tests by the folder below tests/), and so are the options
nowhere() {
    grep -noE '(^|[^A-Za-z0-9_./-])(build/)?(src|cli|mpi|tests|scripts|bench|cmake|examples)/[A-Za-z0-9_./*-]*[A-Za-z0-9_*]' "$@" /dev/null |
        sed -E 's/^([^:]*:[0-9]+):[^A-Za-z]?/\1 /' | while read -r place path; do
            compgen -G "$path" >/dev/null || [ "${path#build/}" != "$path" ] || [ -e "tests/$path.sh" ] || echo "$place names $path"
        done
}
unknown() {
    grep -ohE '(^|[ `(*[])--[a-z][a-z-]+' "$@" | grep -oE -- '--[a-z-]+' | sort -u | grep -vxF -f "$known" || true
}
known=$(mktemp)
trap 'rm -f "$known"' EXIT
printf -- '--%s\n' cflags libs component install name no-build-isolation nodes ntasks-per-node cpus-per-task >"$known" # of other programs
"$KSDA" help | awk '/^  [a-z]/ { print $1 }' | while read -r name; do "$KSDA" help "$name"; done | grep -oE -- '--[a-z][a-z-]+' >>"$known"
[ -z "$(nowhere README.md docs/*.md)" ] || { nowhere README.md docs/*.md; fail "documents name files that are not there"; }
[ -z "$(unknown README.md docs/*.md)" ] || fail "documents name options that no command has: $(unknown README.md docs/*.md)"
echo 'See `src/nothing.c`, or `--no-such-thing`.' >"$OLDPWD/bad/README.md"
[ "$(nowhere "$OLDPWD/bad/README.md")" = "$OLDPWD/bad/README.md:1 names src/nothing.c" ] || fail "a file that is not there was not found"
[ "$(unknown "$OLDPWD/bad/README.md")" = --no-such-thing ] || fail "an option that no command has was not found"
cd "$SOURCE"
if grep -nE '\b(TODO|FIXME|XXX|TBD)\b' ./*.md docs/*.md docs/man/*.md; then echo "FAILED: unfinished" >&2; exit 1; fi
# the version stands once; where it is repeated it must agree
version=$(cat VERSION)
grep -q "^version: $version$" CITATION.cff || { echo "FAILED: CITATION.cff has another version" >&2; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "FAILED: CHANGELOG.md does not know $version" >&2; exit 1; }
grep -q "^ksda ($version)" debian/changelog || { echo "FAILED: debian/changelog has another version" >&2; exit 1; }
grep -q "ksda $version" docs/man/ksda.1.md || { echo "FAILED: ksda.1.md has another version" >&2; exit 1; }
