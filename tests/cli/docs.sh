# Links in the documents lead somewhere, here and where they are installed, and nothing unfinished is left in them.
. "$SOURCE/tests/support/cli.sh"
links() { # FOLDER FILES...: relative links of these Markdown files under the folder lead to a file
    local folder=$1 page link
    shift
    (cd "$folder" && grep -oE '\]\([^) ]+' "$@" /dev/null) | sed 's/:](/ /' | while read -r page link; do
        case $link in [a-z]*:*|'#'*) continue ;; esac
        [ -e "$folder/$(dirname "$page")/${link%%#*}" ] || fail "$folder/$page: $link leads nowhere"
    done
}
# shellcheck disable=SC2046
links "$SOURCE" $(cd "$SOURCE" && find . -name 'build*' -prune -o -name '.*' ! -name . -prune -o -name '*.md' ! -path './docs/man/*' -print)
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /usr --component doc >log || { cat log; exit 1; }
doc=$(dirname "$(find "$PWD/dest" -name CITATION.cff)")
present "$doc/README.md" "$doc/docs/privacy.md" "$doc/examples/check.c"
# shellcheck disable=SC2046
links "$doc" $(cd "$doc" && find . -name '*.md')
cd "$SOURCE"
if grep -nE '\b(TODO|FIXME|XXX|TBD)\b' ./*.md docs/*.md docs/man/*.md; then echo "FAILED: unfinished" >&2; exit 1; fi
# the version stands once; where it is repeated it must agree
version=$(cat VERSION)
grep -q "^version: $version$" CITATION.cff || { echo "FAILED: CITATION.cff has another version" >&2; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "FAILED: CHANGELOG.md does not know $version" >&2; exit 1; }
grep -q "ksda $version" docs/man/ksda.1.md || { echo "FAILED: ksda.1.md has another version" >&2; exit 1; }
