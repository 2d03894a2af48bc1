# The worked examples of docs/level-plan.md, docs/exact.md and docs/privacy.md: every command there says what the page says it does. And
# every stage of level-plan is told of.
. "$SOURCE/tests/support/cli.sh"
export PATH="$(dirname "$KSDA"):$PATH" LC_ALL=C.UTF-8
cp "$SOURCE"/docs/example/tiny.* .
for page in level-plan exact privacy; do
    # commands begin with "$ " and go on behind "> "; everything else that is indented is what they say
    sed -n '/^## A worked example/,/^## /p' "$SOURCE/docs/$page.md" | awk -v page=$page '
        /^    \$ / { n++; sub(/^    \$ /, ""); print >(page "-" n ".sh"); said = 1; next }
        /^    > / { sub(/^    > /, ""); print >(page "-" n ".sh"); next }
        /^    / && said { sub(/^    /, ""); print >(page "-" n ".want"); next }
        { said = 0 }'
    ls $page-*.sh >/dev/null 2>&1 || fail "$page.md has no worked example"
    for script in $(ls $page-*.sh | sort -V); do
        if [ $page = exact ] && ! ksda version --json | grep -q '"cbc"'; then continue; fi
        bash $script >have 2>stderr || fail "$(cat $script) failed"
        same have "${script%.sh}.want"
    done
done
grep -q example/plan.svg "$SOURCE/docs/level-plan.md" || fail "the figure is not shown"
# every stage of the method has its row
grep '^|' "$SOURCE/docs/level-plan.md" >rows
sed -nE 's/^    \{"([^"]+)", .*ksda_i_stage.*/\1/p' "$SOURCE/src/methods/levelplan/level_plan.c" >stages
[ -s stages ] || fail "no stages in level_plan.c"
while read -r stage; do says rows "$stage"; done <stages
