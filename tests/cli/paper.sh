# make paper, in short: a page from what is there, what is absent named, resumable, and verdicts that follow the data.
fail() { echo "FAILED: $*" >&2; exit 1; }
command -v jq > /dev/null || { echo "SKIPPED: no jq" >&2; exit 77; }
if grep -qE '__(a|t|ub|m)san_' "$KSDA"; then echo "SKIPPED: it tests scripts; what they run is watched by sanitizers in other tests" >&2; exit 77; fi
paper() { DATA=${data:-$PWD/nowhere} OUT=$PWD/out WORK=$PWD/work bash "$SOURCE/bench/paper/paper.sh" "$BUILD" quick > log.txt 2>&1; }
mkdir out

paper || fail "quick: $(tail -n 5 log.txt)"
for name in LesMis AirPort; do grep -q "SKIPPED: $name" log.txt || fail "$name is absent, and nobody says so"; done
grep -q "Not here, and so skipped: LesMis, AirPort" out/paper.md || fail "the page does not say what is absent"
for heading in Claims karate Success Sensitivity Scalability; do grep -q "^## $heading" out/paper.md || fail "no $heading on the page"; done
[ "$(ls out/paper | wc -l)" -ge 20 ] || fail "only $(ls out/paper)"
grep -o '(paper/[^)]*)' out/paper.md | tr -d '()' | sort -u > linked
[ "$(cd out && ls paper/* | sort)" = "$(cat linked)" ] || fail "plots and page do not agree"
for file in out/paper/*.svg; do
    python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" "$file" || fail "$file is not well formed"
done
grep -q 'MBS, FS and Sonly always succeed.*| holds |' out/paper.md || fail "the verdict is missing"
grep -qE '\b(null|nan|NaN|infinite)\b' out/paper.md && fail "not a number: $(grep -nE '\b(null|nan|NaN|infinite)\b' out/paper.md | head -n 2)"

# Nothing is computed twice, and what is lost is computed again.
cp out/paper.md first.md
rm work/results/main-karate.json
paper || fail "again: $(tail -n 5 log.txt)"
[ "$(grep -c 'there already' log.txt)" -ge 15 ] || fail "computed again: $(cat log.txt)"
grep -q 'karate: all methods, all measures, k 1:2$' log.txt || fail "the lost step was not made again"
untimed() { grep -v 'Written by' "$1" | sed '/^Seconds of the method/,/<.details>/d'; }
cmp <(untimed first.md) <(untimed out/paper.md) || fail "the second page differs: $(diff <(untimed first.md) <(untimed out/paper.md) | head -n 4)"

# A verdict follows the data.
jq '(.points[] | select(.method == "flex-split" and .k == 2)) |= {method, k, outcome: "failed", seconds, reason: "-"}' work/results/main-karate.json > changed.json
mv changed.json work/results/main-karate.json
paper || fail "with a failure: $(tail -n 5 log.txt)"
grep -q 'MBS, FS and Sonly always succeed.*does not hold' out/paper.md || fail "the verdict does not follow the data"

# Results of another build are not mixed in.
echo other > work/made-by
paper || fail "another build: $(tail -n 5 log.txt)"
grep -q "starting from nothing" log.txt || fail "results of another build were kept"
grep -q 'MBS, FS and Sonly always succeed.*| holds |' out/paper.md || fail "results of another build are on the page"

code=0
bash "$SOURCE/bench/paper/paper.sh" "$BUILD" nonsense 2> err.txt || code=$?
[ "$code" = 2 ] || fail "an unknown mode gives $code"
for bad in '{}' '[{"file": "x.svg"}]' '[{"file": "x.svg", "title": "t", "x": {"label": ""}, "y": {"label": ""}, "lines": [{"label": "l", "points": [["a", 1]]}]}]'; do
    ! "$BUILD/bench/paper_charts" . <<< "$bad" > /dev/null 2>&1 || fail "drawn: $bad"
done
[ ! -e x.svg ] || fail "a bad chart left a file"

# In a browser: no label overlaps another or sticks out.
browser=$(command -v chromium || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "SKIPPED: no chromium, so the plots were not looked at" >&2
    exit 0
fi
{
    echo '<!DOCTYPE html><meta charset="utf-8"><title>wait</title><body>'
    for file in out/paper/*.svg; do printf '<div id="%s">' "$(basename "$file")"; cat "$file"; echo '</div>'; done
    cat << 'HTML'
<script>
addEventListener('load', () => {
  const bad = [];
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect(), boxes = [];
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1)
        bad.push(svg.parentNode.id + ' outside: ' + text.textContent);
      for (const other of boxes)
        if (box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 3 && other.top < box.bottom - 3)
          bad.push(svg.parentNode.id + ' overlap: ' + text.textContent);
      boxes.push(box);
    }
  }
  document.title = 'PROBE ' + (bad.length ? bad.join('; ') : 'fine');
});
</script>
HTML
} > all.html
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$PWD/profile" --virtual-time-budget=3000 --dump-dom "file://$PWD/all.html" > dom.html 2> browser.txt || fail "the browser did not run: $(tail -n 3 browser.txt)"
grep -q '<title>PROBE fine' dom.html || fail "$(grep -o 'PROBE [^<]*' dom.html | head -c 1000)"
exit 0
