#!/usr/bin/env bash
# The main job, shown on the network built in. Usage: demo.sh path/to/ksda
set -eu
ksda=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(dirname "$ksda")/demo
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
bold="" plain=""
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { # run a command as a user would type it; a check that says no is part of the story
    printf '\n%s$ ksda %s%s\n' "$bold" "$*" "$plain"
    "$ksda" "$@" || [ $? = 4 ]
}

say "1. Who appears with whom in Les Miserables: 77 people in 4 communities. Does a degree give a community away?"
show check builtin:lesmis -k 3 --top 8
say "2. Publish it so that every degree occurs in at least 3 communities."
show anonymize builtin:lesmis -k 3 -o published.edges --map private.map --publish-communities published.communities
say "3. Somebody else recounts the release, from the original and the private map."
show verify builtin:lesmis published.edges --map private.map -k 3
say "4. Play the attack again, on what was published."
show check published.edges -c published.communities -k 3 --top 0
say "What the public gets (first lines of $folder/published.edges), and what stays private (private.map):"
paste <(head -4 published.edges) <(head -4 private.map) | awk -F'\t' '{printf "  %-14s |  %-16s -> %s\n", $1, $2, $3}'
say "Your own network:  build/ksda anonymize GRAPH -c COMMUNITIES -k 3 -o published.edges --map private.map"
echo "                   (no communities at hand? --detect leiden finds them)"
