# Completion scripts parse, and the bash one completes.
. "$SOURCE/tests/support/cli.sh"
ksda completion bash >ksda.bash
bash -n ksda.bash
ksda completion zsh >_ksda
if command -v zsh >/dev/null; then zsh -n _ksda; fi
ksda completion fish >ksda.fish
if command -v fish >/dev/null; then fish -n ksda.fish; fi

# complete WORDS...: what is offered for the last word
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _ksda
    printf '%s\n' "${COMPREPLY[@]}"
}
offers() { # WORD: it is among the offers of the words that follow
    local word=$1
    shift
    complete_words "$@" | grep -qxF -- "$word" || fail "'$*' does not offer $word, but: $(complete_words "$@" | tr '\n' ' ')"
}
# shellcheck disable=SC1091
. ./ksda.bash
touch graph.edges
offers anonymize ksda an
offers check ksda ch
offers --method ksda anonymize --me
offers edge-connect ksda anonymize -m edge
offers edge-connect ksda anonymize --method edge-c
offers graph.edges ksda anonymize gr
offers graph.edges ksda anonymize graph.edges -c gr
offers together ksda anonymize --unassigned to
offers rmat ksda generate r
offers fish ksda completion f
offers anonymize ksda help an
# every option of every command is in every script
ksda help --names | while read -r name; do
    ksda "$name" -h | grep -oE -- '--[a-z-]+' | sort -u | while read -r option; do
        [ "$option" = --help ] && continue
        for script in ksda.bash _ksda; do grep -qF -- "$option" $script || fail "$script lacks $option of $name"; done
        grep -qF -- "-l ${option#--}" ksda.fish || fail "ksda.fish lacks $option of $name"
    done
done
