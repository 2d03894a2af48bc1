# Links in the documents lead somewhere, and nothing unfinished is left in them.
. "$SOURCE/tests/support/cli.sh"
cd "$SOURCE"
for page in *.md docs/*.md; do
    grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:' | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link" >&2; exit 1; }
    done || { echo "FAILED: a link leads nowhere" >&2; exit 1; }
done
if grep -nE '\b(TODO|FIXME|XXX|TBD)\b' ./*.md docs/*.md docs/man/*.md; then echo "FAILED: unfinished" >&2; exit 1; fi
# the version stands once; where it is repeated it must agree
version=$(cat VERSION)
grep -q "^version: $version$" CITATION.cff || { echo "FAILED: CITATION.cff has another version" >&2; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "FAILED: CHANGELOG.md does not know $version" >&2; exit 1; }
grep -q "ksda $version" docs/man/ksda.1.md || { echo "FAILED: ksda.1.md has another version" >&2; exit 1; }
