# Progress: on a terminal or when asked for, wiped at the end, never in the way of data. Nothing is read from a terminal.
. "$SOURCE/tests/support/cli.sh"
slow() { for i in $(seq 1 25); do seq $((i * 1000)) $((i * 1000 + 999)) | sed 's/$/ 1/'; sleep 0.06; done; }

slow | ksda stats - --progress >stdout 2>stderr
matches stdout '^vertices +25,00[01]$'
[ -s stderr ] || fail "--progress shows nothing"
says stderr "reading"
# in a log there are lines, and not many
if grep -q $'\r' stderr; then fail "lines are drawn over each other in a log"; fi
matches stderr '^reading'
[ "$(tail -c 1 stderr)" = '' ] || fail "the last line has no end"
[ "$(wc -l <stderr)" -lt 60 ] || fail "far more than one line a second: $(wc -l <stderr)"
for option in "" --no-progress -q "--progress -q" "--progress --no-progress"; do
    # shellcheck disable=SC2086
    slow | ksda stats - $option >stdout 2>stderr
    silent stderr
done

command -v script >/dev/null || skip "script is not installed: the terminal is not tested"
# script gives the command a terminal for all three streams
script -qec "'$KSDA' stats -; echo code \$?" /dev/null >typescript </dev/null
says typescript "standard input is a terminal"
says typescript "code 2"
slow >slow.edges
mkfifo pipe
slow >pipe &
TERM=xterm script -qec "'$KSDA' stats - <pipe" /dev/null >typescript </dev/null
wait
says typescript "reading"
grep -q $'\r\033\[K' typescript || fail "not wiped on a terminal"
grep -q '25,00' typescript || fail "no report on a terminal"
slow >pipe &
TERM=xterm NO_COLOR=1 script -qec "'$KSDA' stats - <pipe" /dev/null >typescript </dev/null
wait
if grep -q $'\033' typescript; then fail "NO_COLOR is not honoured"; fi
