#!/usr/bin/env bash
# Write what the documents repeat of the command's own words: man pages, the list of commands, the README's example.
# Usage: update-docs.sh path/to/ksda [folder to write to instead of the source tree]
set -eu
export LC_ALL=C.UTF-8 # bars of blocks
ksda=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
to=${2:-$source}
mkdir -p "$to/docs/man"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# put FILE NAME: replace what stands between <!-- NAME --> and <!-- end NAME --> by standard input; again FILE NAME: the same
# in what an earlier put has written
put() {
    cat >"$scratch/text"
    awk -v name="$2" -v text="$scratch/text" '
        $0 == "<!-- end " name " -->" { skipping = 0 }
        !skipping { print }
        $0 == "<!-- " name " -->" { skipping = 1; while ((getline line < text) > 0) print line }' "$source/$1" >"$scratch/new"
    cp "$scratch/new" "$to/$1"
}
again() { (source=$to && put "$@"); }

for name in $("$ksda" help --names); do "$ksda" help --man "$name" >"$to/docs/man/ksda-$name.1.md"; done

# the list of commands, as in `ksda help`
"$ksda" help --list | awk -F'\t' '$1 != group { printf "%s%s:\n\n", (NR > 1 ? "" : "\n"), $1 } { group = $1; printf "**ksda-%s**(1)\n:   %s\n\n", $2, $3 }' |
    put docs/man/ksda.1.md commands
{ # the topics and the exit codes go where the commands have just been put
    echo
    "$ksda" help --topics | awk -F'\t' '{ printf "`ksda help %s`\n:   %s\n\n", $1, $2 }'
} >"$scratch/topics"
{ echo && cat "$source/docs/help/exit-codes.md" && echo; } >"$scratch/exits"
again docs/man/ksda.1.md topics <"$scratch/topics"
again docs/man/ksda.1.md exits <"$scratch/exits"

shorter() { sed -E '/^ {13}(verify|write|attack|report) /d; s/^(  (took|memory) +).*/\1.../'; } # times and memory differ from run to run
{
    echo
    cd "$scratch"
    for command in "check builtin:lesmis -k 3 --top 4" "anonymize builtin:lesmis -k 3 -o published.edges --map private.map" \
        "verify builtin:lesmis published.edges --map private.map -k 3"; do
        printf '    $ ksda %s\n' "$command"
        # shellcheck disable=SC2086
        { "$ksda" $command 2>/dev/null || true; } | shorter | sed 's/^\(.\)/    \1/'
        echo
    done
    cd "$source"
} | put README.md example
{
    echo
    echo "| command | |"
    echo "|---|---|"
    "$ksda" help --list | awk -F'\t' '{ printf "| `ksda %s` | %s |\n", $2, $3 }'
    echo
} >"$scratch/table"
again README.md commands <"$scratch/table"

# the Python package says of which release it is
mkdir -p "$to/python/ksda"
sed "s/^VERSION = .*/VERSION = \"$(cat "$source/VERSION")\"/" "$source/python/ksda/_version.py" >"$scratch/version"
cp "$scratch/version" "$to/python/ksda/_version.py"
