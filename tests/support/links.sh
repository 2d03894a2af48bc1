#!/usr/bin/env bash
# Every relative link of the Markdown files under a folder leads somewhere (man pages' sources have none). Usage: links.sh folder
set -eu -o pipefail
cd "$1"
find . -name 'build*' -prune -o -name '.?*' -prune -o -name '*.md' ! -path './docs/man/*' -print0 | xargs -0 grep -oE '\]\([^) ]+' /dev/null |
    sed 's/:](/ /' | while read -r page link; do
        case $link in [a-z]*:* | '#'*) continue ;; esac
        target=$(dirname "$page")/${link%%#*}
        [ -e "$target" ] || [ -L "$target" ] || { echo "$1/${page#./}: $link leads nowhere" >&2; exit 1; }
    done
