# The man pages say what the tables say, their examples run, and pandoc takes them.
. "$SOURCE/tests/support/cli.sh"
export PATH="$(dirname "$KSDA"):$PATH"
pages=$SOURCE/docs/man
# what update-docs would write now is what is there
bash "$SOURCE/scripts/update-docs.sh" "$KSDA" "$PWD/fresh"
# (the README's example shows figures that get better with the methods: there the shape must agree, not the numbers)
shape() { sed -E 's/[0-9][0-9,.]*/N/g; s/^( +cost +N).*/\1/; s/(no vertex|N vert[a-z]+) split( into N)?/split/' "$1"; }
shape "$SOURCE/README.md" >readme.want
shape fresh/README.md >readme.have
diff readme.want readme.have >difference || { cat difference >&2; fail "README.md is not what the command says: make update-docs"; }
for file in $(cd fresh && ls docs/man/*.md); do
    diff "$SOURCE/$file" "fresh/$file" >difference || { cat difference >&2; fail "$file is not what the command says (< file, > command): make update-docs"; }
done
ksda help --names >names
while read -r name; do
    page=$pages/ksda-$name.1.md
    [ -f "$page" ] || fail "docs/man/ksda-$name.1.md is missing: make update-docs"
    # every option of the screen is in the page
    ksda "$name" -h | grep -oE -- '(^| )--?[a-z-]+( |$|,)' | tr -d ' ,' | while read -r option; do says "$page" "**$option**"; done
    # the examples work, each page in a folder of its own
    mkdir "run-$name"
    sed -n '/^# EXAMPLE/,/^# /p' "$page" | sed -n 's/^    \$ //p' >"run-$name/example"
    [ -s "run-$name/example" ] || fail "$name has no example"
    (cd "run-$name" && bash -eu ./example >stdout 2>stderr) || { cat "run-$name/example" "run-$name/stderr" >&2; fail "the example of $name fails"; }
done <names
for page in ksda.1 libksda.3 ksda-formats.5; do [ -f "$pages/$page.md" ] || fail "docs/man/$page.md is missing"; done
# what ksda.1 shows runs too
mkdir run-ksda && sed -n '/^# EXAMPLE/,/^# /p' "$pages/ksda.1.md" | sed -n 's/^    \$ //p' >run-ksda/example
[ -s run-ksda/example ] || fail "ksda.1 has no example"
(cd run-ksda && bash -eu ./example >stdout 2>stderr) || { cat run-ksda/stderr >&2; fail "the example of ksda.1 fails"; }
for header in "$SOURCE"/include/ksda/*.h; do
    name=$(basename "$header")
    [ "$name" = ksda.h ] || says "$pages/libksda.3.md" "ksda/$name"
done
# the program in libksda.3 compiles and runs
sed -n '/^# EXAMPLE/,/^# /p' "$pages/libksda.3.md" | sed -n 's/^    //p' >program.c
[ -s program.c ] || fail "libksda.3 has no example"
case $(grep KSDA_SANITIZE: "$BUILD/CMakeCache.txt") in
*=?*) ;;
*) cc -std=c99 -Wall -Wextra -Werror -I"$SOURCE/include" program.c -o program -L"$BUILD" -lksda || fail "libksda.3: the example does not compile"
   printf '1 2\n2 3\n3 1\n' >network.edges
   printf '1 a\n2 b\n3 c\n' >network.communities
   LD_LIBRARY_PATH=$BUILD ./program || fail "libksda.3: the example fails" ;;
esac
if command -v pandoc >/dev/null; then
    for page in "$pages"/*.md; do
        pandoc -s -f markdown-smart -t man "$page" -o page || fail "pandoc: $page"
        # set as Debian's lintian does
        command -v man >/dev/null && command -v groff >/dev/null || continue
        MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z ./page >/dev/null 2>warnings
        [ ! -s warnings ] || { cat warnings >&2; fail "$page: does not look right at 80 columns"; }
    done
fi
