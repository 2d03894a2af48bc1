# ksda studio: who may ask and who may not, and the way of an officer through the page in a browser.
. "$SOURCE/tests/support/cli.sh"
command -v curl >/dev/null || skip "curl is not installed"

studio=
trap '[ -z "$studio" ] || kill -KILL $studio 2>/dev/null || true' EXIT # whatever fails, no server stays behind
mkdir folder pictures
export TMPDIR=$PWD/scratch && mkdir scratch
start() {
    rm -f address errors # of the one before
    (cd folder && exec "$KSDA" studio --no-browser "$@") >address 2>errors 3>&- &
    studio=$!
    for _ in $(seq 300); do
        if grep -qs 'without libmicrohttpd' errors; then skip "built without libmicrohttpd"; fi
        [ -s address ] && break || sleep 0.1
    done
    [ -s address ] || fail "no address"
    address=$(cat address)
    base=${address%%/\?*}
    port=${base##*:}
    token=${address##*token=}
}
finish() {
    kill -INT $studio
    code=0
    wait $studio || code=$?
    studio=
    [ $code = 0 ] || { cat errors >&2; fail "the studio ended with $code"; }
    [ -z "$(find scratch -name "ksda-studio-*")" ] || fail "pages are left: $(ls scratch)"
    [ -z "$(find folder -name '.ksda-*')" ] || fail "a temporary file is left"
    if grep -q 'Sanitizer' errors; then cat errors >&2 && fail "a sanitizer complains"; fi
}
# asks CODE URL CURL-OPTION...: with the cookie
asks() {
    local wanted=$1 url=$2
    shift 2
    code=$(curl -s -o body -w '%{http_code}' --max-time 60 -b "ksda-$port=$token" "$@" "$base$url") || code=cut
    [ "$code" = "$wanted" ] || { cat body >&2; fail "$code instead of $wanted: $url $*"; }
}

start
# only this machine's loopback address
matches address '^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$'
# the secret, Host and Origin
[ "$(curl -s -o body -w '%{http_code}' "$base/api/state")" = 403 ] || fail "no secret"
[ "$(curl -s -o body -w '%{http_code}' -b "ksda-$port=${token%?}0$RANDOM" "$base/api/state")" = 403 ] || fail "wrong secret"
[ "$(curl -s -o body -w '%{http_code}' "$base/?token=00000000000000000000000000000000")" = 403 ] || fail "wrong token"
[ "$(curl -s -o body -w '%{http_code}' "$address")" = 303 ] || fail "the right token"
asks 200 /api/state
asks 200 / -D headers
matches headers "^Content-Security-Policy: default-src 'none'; script-src 'self';"
grep -qi 'unsafe-inline' headers && fail "inline script is allowed"
asks 403 /api/state -H 'Host: evil.example'
asks 403 /api/state -H "Host: evil.example:$port"
asks 403 /api/run -X POST -H 'Origin: http://evil.example' -d '{}'
asks 403 /api/stop -X POST -H 'Origin: null' -d '{}'
asks 403 /api/state -H 'Sec-Fetch-Site: cross-site'
# nothing outside the folder, nothing that is no file of it, nothing that is taken for an option
printf 'a b\nb c\nc a\n' >secret.edges
printf 'a b\nb c\nc a\n' >folder/net.edges
ln -s ../secret.edges folder/link.edges
for name in ../secret.edges /etc/passwd link.edges ../../secret.edges --version -h .hidden net.edges/../../secret.edges; do
    asks 422 /api/run -X POST -d "{\"step\": \"load\", \"choice\": {\"graph\": \"$name\"}}"
done
asks 422 /api/run -X POST -d '{"step": "release", "choice": {"graph": "net.edges", "k": 1, "name": "../out"}}'
asks 422 /api/run -X POST -d '{"step": "risk", "choice": {"graph": "net.edges", "k": "2; rm -rf /"}}'
for path in /page/../secret.edges /page/%2e%2e%2fsecret.edges /api/files/../../secret.edges /../secret.edges /net.edges /page/load; do
    code=$(curl -s --path-as-is -o body -w '%{http_code}' -b "ksda-$port=$token" "$base$path")
    [ "$code" = 404 ] || fail "$code: $path"
    if grep -q '^a b' body; then fail "$path gives a file away"; fi
done
asks 400 /api/run -X POST -d 'no JSON'
asks 404 /api/run -X POST -d '{"step": "destroy", "choice": {}}'
# files that are sent: a plain name, a length, never in place of another
asks 201 /api/files/sent.edges -X PUT --data-binary @secret.edges
same folder/sent.edges secret.edges
[ "$(stat -c %a folder/sent.edges)" = 600 ] || fail "a file that was sent is private"
asks 409 /api/files/sent.edges -X PUT --data-binary 'other'
same folder/sent.edges secret.edges
asks 400 /api/files/..%2fup.edges -X PUT --data-binary 'x'
asks 400 /api/files/.bashrc -X PUT --data-binary 'x'
asks 413 /api/files/huge.edges -X PUT -H 'Content-Length: 1073741824' -H 'Expect:' --data-binary 'x'
asks 411 /api/files/huge.edges -X PUT -H 'Transfer-Encoding: chunked' --data-binary 'x' # no length, so no end
asks 413 /api/run -X POST --data-binary @<(head -c 100000 /dev/zero)
absent folder/huge.edges up.edges
# a slow client, a client that goes away, many at once: all others are still answered
(exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'GET /api/state HTTP/1.1\r\nHost: 127' >&3 && sleep 3) &
(printf 'PUT /api/files/half.edges HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nCookie: ksda-%s=%s\r\nContent-Length: 1000\r\n\r\nhalf' "$port" "$port" "$token" >"/dev/tcp/127.0.0.1/$port") || true
curl -s -Z --parallel-immediate --parallel-max 200 -o /dev/null -w '%{http_code}\n' --max-time 120 -b "ksda-$port=$token" "$base/api/state?[1-200]" >codes 2>stderr || true
[ "$(grep -c 200 codes)" = 200 ] || fail "of 200 at once only $(grep -c 200 codes) were answered"
asks 200 /api/state
absent folder/half.edges
# ended in the middle of a release: nothing half-written, nothing of what was there before is lost
ksda generate planted --vertices 3000 --edges 20000 --blocks 40 --communities folder/big.communities -o folder/big.edges
release='{"step": "release", "choice": {"graph": "big.edges", "communities": "big.communities", "k": 5, "name": "out", "force": true}}'
echo 'an earlier map' >folder/out.map
asks 202 /api/run -X POST -d "$release"
asks 409 /api/run -X POST -d '{"step": "load", "choice": {"graph": "net.edges"}}'
finish
released() {
    if [ "$(cat folder/out.map)" = 'an earlier map' ]; then
        absent folder/out.edges
    else
        ksda verify folder/big.edges folder/out.edges --map folder/out.map -c folder/big.communities -k 5 >verified 2>stderr || fail "half a release"
    fi
}
released
# killed in the middle of a step: that is asked to end as well, be it one that goes on for long and prints at its end only
most=8000 # milliseconds
if sanitized; then most=40000; fi
killed() {
    start
    asks 202 /api/run -X POST -d "$1"
    child=$(pgrep -P $studio)
    kill -KILL $studio
    wait $studio || true
    while kill -0 $child 2>/dev/null; do
        [ "$(busy_ms $child)" -lt $most ] || { kill -KILL $child && fail "the step goes on without its studio"; }
        sleep 0.1
    done
}
killed "$release"
released
killed '{"step": "frontier", "choice": {"graph": "big.edges", "communities": "big.communities", "k": 5}}'
rm -rf scratch/ksda-*
start --demo
for _ in $(seq 200); do asks 200 /api/state && grep -q '"vertices":77' body && break || sleep 0.1; done
grep -q '"vertices":77' body || fail "the demonstration shows nothing"
asks 200 /api/script
says body "ksda stats builtin:lesmis"

# the officer's way
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import websocket' 2>/dev/null; then python=$candidate && break; fi
done
if [ -z "$python" ] || ! command -v chromium >/dev/null; then
    finish
    skip "no browser drives the page: chromium and python3-websocket are needed; requests were tested"
fi
"$python" - <<'END'
import csv, random
r = random.Random(7)
first = ["Jürgen", "Zoë", "Anaïs", "Łukasz", "Bo", "Æsa", "Ívar", "Müge"]
people = [f"{first[i % 8]} {chr(65 + i // 8)}." for i in range(90)]
department = {p: ["Küche", "Büro", "Lager", "Außendienst"][i % 4] for i, p in enumerate(people)}
with open("kontakte.csv", "w", newline="", encoding="utf-8-sig") as f:
    w = csv.writer(f, delimiter=";")
    w.writerow(["Person A", "Person B"])
    pairs = set()
    while len(pairs) < 330:
        a, b = sorted(r.sample(range(90), 2))
        if a % 4 == b % 4 or r.random() < .3:
            pairs.add((a, b))
    for a, b in sorted(pairs):
        w.writerow([people[a], people[b]])
with open("folder/leute.csv", "w", newline="", encoding="utf-8-sig") as f:
    w = csv.writer(f, delimiter=";")
    w.writerow(["Person", "Abteilung"])
    for i, p in enumerate(people):
        w.writerow([p, "" if i == 17 else department[p]])
END
PYTHONPATH=$SOURCE/tests/support "$python" "$SOURCE/tests/support/studio_path.py" "$address" kontakte.csv leute.csv pictures >stdout 2>stderr || fail "the officer's way"
says stdout "the whole way"
ksda verify folder/kontakte.csv folder/first.edges --map folder/first.map -c folder/leute.csv --unassigned together -k 2 >verified 2>stderr || fail "the release does not verify"
for private in folder/first.map folder/first.summary.json folder/first.report.html; do
    [ "$(stat -c %a $private)" = 600 ] || fail "$private is not private"
done
asks 200 /api/script
says body "ksda anonymize kontakte.csv --communities=leute.csv"
says body "ksda verify kontakte.csv"
finish
