# Completion scripts parse, and the bash one completes.
. "$SOURCE/tests/support/cli.sh"
ksda completion bash >ksda.bash
bash -n ksda.bash
ksda completion zsh >_ksda
ksda completion fish >ksda.fish

if command -v zsh >/dev/null; then
    zsh -f -n _ksda
    # what zsh's own functions are told, for a word after "ksda" and for one after "ksda anonymize"
    cat >stubs.zsh <<'X'
_describe() { print -rl -- ${(P)2} }
_arguments() { print -rl -- "$@" }
_files() { }
X
    zsh -f -c 'source ./stubs.zsh; words=(ksda an); CURRENT=2; source ./_ksda' >zsh.commands
    matches zsh.commands '^anonymize:publish'
    zsh -f -c 'source ./stubs.zsh; words=(ksda anonymize --me); CURRENT=3; source ./_ksda' >zsh.options
    matches zsh.options '^--method=.*\(level-plan edge-connect '
    matches zsh.options '^--frontier\['
    # and zsh finds it by itself
    zsh -f -c 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; [[ $_comps[ksda] == _ksda ]]' || fail "compinit does not find _ksda"
else
    echo "SKIPPED: no zsh, so its completion was not parsed" >&2
fi
if command -v fish >/dev/null; then
    export HOME=$PWD XDG_CONFIG_HOME=$PWD/config XDG_DATA_HOME=$PWD/data
    fish -n ksda.fish
    fish_offers() { # WORD LINE: fish offers it at the end of the line
        fish --no-config -c 'source ksda.fish; complete -C "$argv[1]"' "$2" | cut -f1 | grep -qxF -- "$1" || fail "fish does not offer $1 for '$2'"
    }
    fish_offers anonymize "ksda an"
    fish_offers --method "ksda anonymize --me"
    fish_offers --frontier "ksda anonymize --fron"
    fish_offers edge-connect "ksda anonymize --method edge"
    fish_offers together "ksda check --unassigned to"
else
    echo "SKIPPED: no fish, so its completion was not parsed" >&2
fi

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
