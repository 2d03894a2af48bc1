# Topics are listed wherever commands are, printed from the command itself, and look like text, not like Markdown.
. "$SOURCE/tests/support/cli.sh"
ksda help >overview
ksda completion bash >bash.script
ksda completion zsh >zsh.script
ksda completion fish >fish.script
ksda help --topics | cut -f1 >topics
for topic in formats privacy choosing-k overlap exit-codes json; do grep -qx $topic topics || fail "no topic $topic"; done
while read -r topic; do
    expect 0 ksda help "$topic"
    silent stderr
    matches overview "^  $topic +[a-z]"
    says "$SOURCE/docs/man/ksda.1.md" "ksda help $topic"
    for shell in bash zsh fish; do matches $shell.script "[ '(]$topic[ ')]"; done
    if grep -nE '\*\*|`|\\|<!--|^%' stdout; then fail "$topic: Markdown is left"; fi
    if LC_ALL=C grep -n '[^ -~]' stdout; then fail "$topic: not plain ASCII"; fi
    if grep -nE '  +$' stdout; then fail "$topic: blanks at an end of line"; fi
    if grep -vE '^ {8}|  .*  .*  ' stdout | grep -nE '.{81}'; then fail "$topic: a line that does not fit"; fi
    [ "$(wc -l <stdout)" -gt 8 ] || fail "$topic: hardly a word"
done <topics
# nothing of a page gets lost: every word of the formats' text is there, in order
words() { tr -d '*`\\|' | tr -s ' \n' '\n\n' | grep -v -- '^-*$'; }
sed -n '/^# DESCRIPTION/,/^# SEE ALSO/p' "$SOURCE/docs/man/ksda-formats.5.md" | sed '1d;$d;s/^#\+ //' | words >want
ksda help formats | sed 1d | words >have
same want have
expect 2 ksda help fromats
usage_error "formats"
expect 2 ksda help nothing
