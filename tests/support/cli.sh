# Helpers for tests/cli/*.sh, sourced. $KSDA is the command; the working directory is a scratch folder.

set -E
trap 'echo "FAILED: line $LINENO: $BASH_COMMAND" >&2; [ ! -s stderr ] || tail -3 stderr >&2' ERR

ksda() { "$KSDA" "$@"; }

fail() {
    echo "FAILED: $*" >&2
    [ -s stdout ] && { echo "--- stdout" >&2; head -c 2000 stdout >&2; }
    [ -s stderr ] && { echo "--- stderr" >&2; head -c 2000 stderr >&2; }
    exit 1
}

# expect CODE COMMAND...: run it, keep stdout and stderr in files of that name, and insist on the exit code.
expect() {
    local wanted=$1 code=0
    shift
    "$@" >stdout 2>stderr </dev/null || code=$?
    [ "$code" = "$wanted" ] || fail "exit $code instead of $wanted: $*"
}

# says FILE TEXT: the file holds the text. matches FILE REGEX: a line matches.
says() { grep -qF -- "$2" "$1" || fail "$1 does not say: $2"; }
matches() { grep -qE -- "$2" "$1" || fail "$1 does not match: $2"; }
silent() { [ ! -s "$1" ] || fail "$1 is not empty"; }
absent() { for f in "$@"; do [ ! -e "$f" ] || fail "$f is there"; done; }
present() { for f in "$@"; do [ -e "$f" ] || fail "$f is missing"; done; }
same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head -20 >&2; fail "$1 and $2 differ"; }; }
no_leftovers() { [ -z "$(find . -name '.ksda-*' -print -quit)" ] || fail "a temporary file was left: $(find . -name '.ksda-*')"; }

# A message of the right shape, one line, and nothing on stdout.
one_message() {
    silent stdout
    matches stderr '^ksda: '
    [ "$(wc -l <stderr)" = 1 ] || fail "more than one line of message"
}
# usage_error TEXT: two lines, the second points to --help.
usage_error() {
    silent stdout
    [ "$(wc -l <stderr)" = 2 ] || fail "not two lines"
    says stderr "$1"
    matches stderr "^Try 'ksda .*--help'\.$"
}

skip() {
    echo "SKIPPED: $*" >&2
    exit 77
}
# within SECONDS COMMAND...: killed once it has used so much processor time; by the clock, for a machine may be busy, only
# after ten minutes
within() { (ulimit -t "$1" && shift && exec timeout 600 "$@"); }
# busy_ms PID: the processor time that it and the children it has waited for have used so far
busy_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13 + $14 + $15) * 1000 / hz) }' "/proc/$1/stat" 2>/dev/null || echo 0; }
# sanitized [PROGRAM]: do sanitizers watch it? Then it is some ten times slower
sanitized() { grep -qE '__(a|t|ub|m)san_' "${1:-$KSDA}"; }
