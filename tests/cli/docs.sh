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
if grep -nE '\b(TODO|FIXME|XXX|TBD)\b' ./*.md docs/*.md docs/man/*.md; then echo "FAILED: unfinished" >&2; exit 1; fi
# the version stands once; where it is repeated it must agree
version=$(cat VERSION)
grep -q "^version: $version$" CITATION.cff || { echo "FAILED: CITATION.cff has another version" >&2; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "FAILED: CHANGELOG.md does not know $version" >&2; exit 1; }
grep -q "^ksda ($version)" debian/changelog || { echo "FAILED: debian/changelog has another version" >&2; exit 1; }
grep -q "ksda $version" docs/man/ksda.1.md || { echo "FAILED: ksda.1.md has another version" >&2; exit 1; }
