# The HTML report: well formed, self-contained, escaped, private where it must be, and readable in a browser.
fail() { echo "FAILED: $*" >&2; exit 1; }

# Names that would break out of the page if they were not escaped.
cat > odd.csv <<'X'
source,target
<script>alert(1)</script>,"b & ""c"""
<script>alert(1)</script>,d'e
"b & ""c""",d'e
f,d'e
f,g
X
printf '%s\n' "<script>alert(1)</script> 1" "d'e <b>2</b>" "f 1" "g <b>2</b>" > odd.pairs
printf 'vertex,community\n<script>alert(1)</script>,1\n"b & ""c""",<b>2</b>\n%s,<b>2</b>\nf,1\ng,<b>2</b>\n' "d'e" > odd.communities
"$KSDA" check odd.csv -c odd.communities -k 2 --report odd.html > /dev/null || [ $? -eq 4 ] || fail "check --report"
grep -q '&lt;script&gt;alert(1)' odd.html || fail "the vertex called <script> is not in the page"
grep -q '<script' odd.html && fail "a name became markup"
"$KSDA" anonymize builtin:lesmis -k 3 -o p.edges --report private.html --quiet
"$KSDA" anonymize builtin:lesmis -k 3 -o p.edges --report public.html --public --quiet
"$KSDA" anonymize builtin:lesmis -k 3 -o p.edges --report frontier.html --frontier --split-weight 3 --quiet > /dev/null
"$KSDA" anonymize builtin:lesmis -k 3 --report choice.html --frontier --no-measures > /dev/null
[ "$(stat -c %a private.html)" = 600 ] || fail "the private report has mode $(stat -c %a private.html)"
grep -q Valjean private.html || fail "the private report names nobody"
grep -q 'Private document' private.html || fail "the private report does not say so"
grep -qi 'Valjean\|lesmis\|connections added\|people split\|original network' public.html && fail "the public report tells of the original"

grep -q 'What is there to choose from' frontier.html || fail "the trade-off is not in the report"
grep -q 'the release of this report' frontier.html || fail "the release is not marked among those to choose from"
grep -q 'What is there to choose from' choice.html || fail "the trade-off is not in the report without a release"
grep -q 'the release of this report\|published network' choice.html && fail "a report without a release tells of one"

# who has no community, and what that means; in public only of the release, and without names
"$KSDA" convert builtin:lesmis -o g.edges --write-communities all.txt --quiet
awk 'NR % 9' all.txt > few.txt
missing=$(($(wc -l < all.txt) - $(wc -l < few.txt)))
"$KSDA" check g.edges -c few.txt --unassigned own --report own.html --quiet > /dev/null
"$KSDA" check g.edges -c few.txt --unassigned together-counted --report counted.html --quiet > /dev/null
"$KSDA" anonymize g.edges -c few.txt --unassigned together -k 2 -o p.edges --report few.html --no-measures --quiet
"$KSDA" anonymize g.edges -c few.txt --unassigned together -k 2 -o p.edges --map few.map --report few_public.html --public --quiet --force
grep -q "not known for $missing of 77 people: each is in a community of its own, which does not count" own.html || fail "own.html"
grep -q "not known for $missing of 77 people: they form one further community, which counts" counted.html || fail "counted.html"
grep -q "not known for $missing of 77 people: they form one further community, which does not count" few.html || fail "few.html"
awk 'NR == FNR { known[$1] = 1; next } !($1 in known)' few.txt all.txt | cut -d'	' -f1 | cut -d' ' -f1 > without
published=$(awk -F'\t' 'NR == FNR { w[$1] = 1; next } $1 in w { n++ } END { print n }' without few.map)
grep -q "not known for $published of $(grep -vc '^#' few.map) vertices: they form one further community, which does not count" few_public.html || fail "few_public.html"
grep -qwFf without few_public.html && fail "the public report names people without a community"
grep -q 'all people have one' private.html || fail "nothing is said where every community is known"

for page in odd.html private.html public.html frontier.html choice.html own.html counted.html few.html few_public.html; do
    python3 -c "import sys, xml.dom.minidom as x; x.parseString(open(sys.argv[1], encoding='utf-8').read().replace('<!DOCTYPE html>', ''))" "$page" ||
        fail "$page is not well formed"
    grep -qE 'https?://|<script|@import|url\(' "$page" && fail "$page wants something from elsewhere"
done

# Above 20,000 edges communities are drawn instead of people: every edge is counted once, inside one or between two.
"$KSDA" generate planted --vertices 3000 --edges 20001 --blocks 40 -o many.edges --communities many.communities --quiet
"$KSDA" check many.edges -c many.communities -k 2 --report many.html >/dev/null 2>stderr || [ $? -eq 4 ]
python3 - <<'PY' || fail "many.html: the communities"
import re
page = open("many.html", encoding="utf-8").read()
drawing = page[page.index('id="drawing"'):]
number = lambda text: int(text.replace(",", ""))
of = dict(line.split() for line in open("many.communities") if not line.startswith("#"))
people = {c: list(of.values()).count(c) for c in set(of.values())}
inside, between = {}, {}
for line in open("many.edges"):
    if not line.startswith("#"):
        a, b = sorted(of[v] for v in line.split()[:2])
        (inside if a == b else between).setdefault((a, b), 0)
        (inside if a == b else between)[a, b] += 1
shown = {m[1]: (number(m[2]), number(m[3])) for m in re.finditer(r"<title>(\w+): ([\d,]+) (?:people|person), ([\d,]+) edges? inside", drawing)}
assert shown == {c: (people[c], inside.get((c, c), 0)) for c in people}, shown
lines = {tuple(sorted(m.group(1, 2))): number(m[3]) for m in re.finditer(r"<title>(\w+) and (\w+): ([\d,]+) edges?<", drawing)}
assert lines == between
PY
"$KSDA" generate planted --vertices 3000 --edges 20000 --blocks 40 -o fewer.edges --communities fewer.communities --quiet
"$KSDA" check fewer.edges -c fewer.communities -k 2 --report fewer.html >/dev/null 2>stderr || [ $? -eq 4 ]
[ "$(grep -o 'class="node"' fewer.html | wc -l)" -ge 3000 ] || fail "fewer.html: 20,000 edges are drawn"
if grep -qE '(nan|inf)' <(grep -o ' c[xy]="[^"]*"' fewer.html many.html); then fail "a vertex stands nowhere"; fi

# A large network: a small page, communities drawn instead of people. (How long it takes is in docs/results/report.md; a test does not time.)
"$KSDA" generate rmat --vertices 100000 --edges 1000000 --blocks 64 -o big.edges --communities big.communities --quiet
"$KSDA" check big.edges -c big.communities -k 10 --report big.html > /dev/null || [ $? -eq 4 ]
"$KSDA" anonymize big.edges -c big.communities -k 10 -o p.edges --report release.html --no-measures --quiet
for page in big.html release.html; do
    [ "$(stat -c %s $page)" -lt 2000000 ] || fail "$page of 100,000 vertices has $(stat -c %s $page) bytes"
done

# what the release is for is not drawn as damage; around 0 a change is a difference; the ring's style comes after the mark's
"$KSDA" anonymize builtin:lesmis -k 3 -o split.edges --map split.map --report split.html --quiet
python3 - <<'PY' || fail "split.html: changes"
import re
page = open("split.html", encoding="utf-8").read()
row = {m[1]: m[2] for m in re.finditer(r"<tr><th[^>]*>([^<]*)</th>(.*?)</tr>", page, re.S)}
for name in "Vertices not k-diverse", "Largest k that holds":
    assert "%" not in row[name] and "bar" not in row[name] and "protection" in row[name], row[name]
for name in "Degree assortativity", "Modularity":
    assert "%" not in row[name].split("<td class")[0] and "bar" in row[name], row[name]
assert "%" in row["Clustering coefficient (CC)"]
assert "mean of 10 runs, spread " in row["Community detection: accuracy"]
assert 'class="node split"' in page
assert page.index("svg .node {") < page.index("svg .split {"), "the ring is overruled"
PY

# In a browser: nothing sticks out, no labels overlap. The probe is added to a copy; the page itself has no script.
browser=$(command -v chromium || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "SKIPPED: no chromium, so the pages were not looked at" >&2
    exit 0
fi
cat > probe.html <<'X'
<script>
addEventListener('load', () => {
  const bad = [], root = document.documentElement;
  if (root.scrollWidth > innerWidth) bad.push('page is ' + root.scrollWidth + ' wide in ' + innerWidth);
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect(), boxes = [];
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) bad.push('outside: ' + text.textContent);
      for (const other of boxes)
        if (box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 3 && other.top < box.bottom - 3)
          bad.push('overlap: ' + text.textContent);
      boxes.push(box);
    }
  }
  const ring = document.querySelector('.node.split'), plain = document.querySelector('.node:not(.split)');
  if (ring && plain && getComputedStyle(ring).stroke === getComputedStyle(plain).stroke) bad.push('split people have no ring');
  for (const cell of document.querySelectorAll('.scroll'))
    if (cell.scrollWidth > cell.clientWidth + 1) bad.push('table is ' + cell.scrollWidth + ' wide in ' + cell.clientWidth);
  const style = getComputedStyle(document.body), colours = (style.backgroundColor + '/' + style.color).replaceAll(' ', '');
  parent.postMessage('PROBE ' + innerWidth + ' ' + colours + ' ' + (bad.length ? bad.join('; ') : 'fine'), '*');
});
</script>
X
# Three frames at once, as windows have a least width: a phone, a desk, and A4 paper, where the style for print holds on the screen.
probe() { sed 's/<\/body>//; s/<\/html>//' "$1" | cat - probe.html; }
cat > frame.html <<'X'
<!DOCTYPE html><title>wait</title>
<iframe src="probed.html" width="360" height="1000" style="border:0"></iframe><iframe src="probed.html" width="1280" height="1000" style="border:0"></iframe>
<iframe src="printed.html" width="718" height="1000" style="border:0"></iframe>
<script>const said = []; addEventListener('message', e => { said.push(e.data); document.title = said.sort().join(' | '); });</script>
X
browse() { # what it is to do...: the browser, without anything that wants the network
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-quic --disable-component-update \
        --disable-sync --user-data-dir="$PWD/profile" --window-size=2500,2100 "$@"
}
for page in private.html public.html big.html frontier.html choice.html split.html; do
    probe $page > probed.html
    sed 's/@media print/@media all/' $page > paper.html
    probe paper.html > printed.html
    for scheme in 0 1; do
        browse --virtual-time-budget=3000 --blink-settings=preferredColorScheme=$scheme --enable-logging=stderr --dump-dom "file://$PWD/frame.html" \
            > dom.html 2> log.txt || fail "the browser did not run: $(tail -n 3 log.txt)"
        grep -q 'PROBE 1280 [^ ]* fine | PROBE 360 [^ ]* fine | PROBE 718 rgb(255,255,255)/rgb(0,0,0) fine' dom.html ||
            fail "$page: $(grep -o 'PROBE [^<]*' dom.html || cat dom.html)"
        grep -q 'CONSOLE' log.txt && fail "$page: $(grep CONSOLE log.txt | head -n 2)"
    done
done
# and it can be printed
browse --no-pdf-header-footer --print-to-pdf=paper.pdf "file://$PWD/frontier.html" 2> log.txt || fail "not printed: $(tail -n 3 log.txt)"
[ "$(head -c 5 paper.pdf)" = "%PDF-" ] || fail "what was printed is no PDF"
exit 0
