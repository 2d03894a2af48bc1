# ksda attack: readings, the degree attack as `check` has it, who, trails, pages, and what is refused.
. "$SOURCE/tests/support/cli.sh"
command -v jq >/dev/null || skip "jq is not installed"
expect 0 ksda anonymize builtin:lesmis -k 3 -o out.edges --map out.map --publish-communities out.communities --quiet
# the release by itself is the same with and without the original, hubs aside
expect 0 ksda attack out.edges -c out.communities -k 3 --json
jq '.release | del(.hubs) | map_values(del(.seconds))' stdout >alone.json
[ "$(jq 'has("matched") or has("original")' stdout)" = false ] || fail "a reading without an original"
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --json
jq '.release | del(.hubs) | map_values(del(.seconds))' stdout >both.json
cmp alone.json both.json || fail "another release"
# the degree attack is that of check, before and after
for network in "out.edges -c out.communities release" "builtin:lesmis original"; do
    code=0
    [ "${network##* }" = release ] || code=4
    cp stdout attack.json
    # shellcheck disable=SC2086
    expect $code ksda check ${network% *} -k 3 --json
    for pair in exposed:.violating_vertices expected_success:.attack.expected_success surest:.attack.largest_posterior \
        entropy:.attack.entropy classes:.degrees; do
        a=$(jq ".${network##* }.degree.${pair%%:*}" attack.json) b=$(jq "${pair#*:}" stdout)
        [ "$a" = "$b" ] || fail "${network##* } ${pair%%:*}: $a, and check says $b"
    done
    cp attack.json stdout
done
[ "$(jq .release.degree.exposed stdout)" = 0 ] || fail "the release is not 3-diverse"
# threads change nothing
jq 'del(.seconds) | .matched |= map_values(del(.seconds)) | .release |= map_values(del(.seconds)) | .original |= map_values(del(.seconds))' stdout >one.json
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --json --threads 3
jq 'del(.seconds) | .matched |= map_values(del(.seconds)) | .release |= map_values(del(.seconds)) | .original |= map_values(del(.seconds))' stdout >three.json
cmp one.json three.json || fail "threads matter"
# an attacker of added edges who is trained on other releases, beside those who come with the library
expect 0 ksda generate planted --vertices 60 --edges 200 --blocks 4 --communities mine.communities -o mine.edges
expect 0 ksda anonymize mine.edges -c mine.communities -k 2 -o mine.out.edges --map mine.map --quiet
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --only degree --json
[ "$(jq -r '.added_edges.trained.auc | keys | join(" ")' stdout)" = "create_by_split k_degree level_plan level_plan_plausible" ] || fail "others were trained"
printf '# mine\n\nmine.out.edges mine.edges mine.communities mine.map\n' >training
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --only degree --training training --json
jq -e '.added_edges.trained | .auc.given >= 0 and (.weights | length) == 13' stdout >/dev/null || fail "nobody was trained"
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --only degree --training training --report trained.html
matches stdout 'trained on the releases given'
matches trained.html 'trained on level-plan'
expect 2 ksda attack out.edges -c out.communities --training training
matches stderr 'training needs --original'
echo 'mine.out.edges mine.edges mine.map' >training
expect 3 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --training training
matches stderr 'training:1: 3 words'
expect 1 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --training nothing
# who: private, by the names of the original where it is known, as many as are counted
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --json --list who.tsv --report page.html
[ "$(stat -c %a who.tsv)$(stat -c %a page.html)" = 600600 ] || fail "not private"
[ "$(awk -F'\t' '$2 == "friendship"' who.tsv | wc -l)" = "$(jq .matched.friendship.exposed stdout)" ] || fail "other people are listed"
[ "$(awk -F'\t' '$2 == "hubs" && $3 == "found"' who.tsv | wc -l)" = "$(jq .matched.hubs.alone stdout)" ] || fail "others are found"
matches page.html 'Friends. degrees'
# a trail: the same release twice tells what one does; an id that was not there is a step as well
expect 0 ksda attack out.edges -c out.communities -k 3 --only degree,trail --earlier out.edges,out.edges --json
[ "$(jq -c '.release.degree | del(.seconds)' stdout)" = "$(jq -c '.release.trail | del(.seconds)' stdout)" ] || fail "a trail of one degree"
head -1 out.edges >first.edges
expect 0 ksda attack out.edges -c out.communities -k 3 --only trail --earlier first.edges --json
[ "$(jq .release.trail.exposed stdout)" != 0 ] || fail "two ids of an earlier release are not exposed"
# refused
expect 2 ksda attack out.edges --original builtin:lesmis
matches stderr 'belong together'
expect 2 ksda attack out.edges -c out.communities --only degre
matches stderr "did you mean 'degree'"
expect 2 ksda attack out.edges -c out.communities --hubs 65
expect 2 ksda attack out.edges
expect 2 ksda attack out.edges -c out.communities -k 9
matches stderr 'between 1 and'
expect 1 ksda attack out.edges -c out.communities --earlier nothing.edges
# sections of other reports: the same numbers, where they are asked for; pages have them anyway
expect 0 ksda attack out.edges --original builtin:lesmis --map out.map -k 3 --json
jq -S 'del(.schema, .reading, .without_community) | walk(if type == "object" then del(.seconds) else . end)' stdout >attack.json
expect 0 ksda compare builtin:lesmis out.edges --map out.map -k 3 --attackers --only clustering --json
jq -S '.attackers | walk(if type == "object" then del(.seconds) else . end)' stdout >compare.json
same attack.json compare.json
expect 4 ksda check builtin:lesmis -k 3 --attackers --json --report check.html
[ "$(jq -c '.attackers.release.hubs | del(.seconds)' stdout)" = "$(jq -c .original.hubs attack.json)" ] ||
    [ "$(jq -S -c '.attackers.release.hubs | del(.seconds)' stdout)" = "$(jq -S -c .original.hubs attack.json)" ] || fail "check tells other hubs"
matches check.html 'Attackers who know more than a degree'
if grep -q 'The release guarantees' check.html; then fail "the page of check speaks of a release, and there is none"; fi
expect 0 ksda anonymize builtin:lesmis -k 3 -o again.edges --map again.map --report page.html --quiet --json
jq .added_edges_auc.worst stdout >told
expect 0 ksda attack again.edges --original builtin:lesmis --map again.map -k 3 --json
[ "$(jq -r '.added_edges.worst * 1e6 | round' stdout)" = "$(jq -r '. * 1e6 | round' told)" ] || fail "anonymize tells $(cat told) of its added edges"
matches page.html 'The release guarantees'
matches page.html 'How plausible: added edges can be told'
matches page.html 'Attackers who know more than a degree'
matches page.html 'Added edges'
expect 0 ksda anonymize builtin:lesmis -k 3 -o again.edges --map again.map --force --report page.html --public --quiet
if grep -q 'Attackers who know more' page.html; then fail "a public page tells of attackers"; fi
expect 0 ksda sweep builtin:lesmis -k 3 -m level-plan --no-measures --attackers --csv points.csv --json
[ "$(jq '.points[0].attackers.degree.exposed' stdout)" = 0 ] || fail "the sweep's release is not 3-diverse"
matches points.csv 'friendship_exposed.*,added_edges_auc$'
