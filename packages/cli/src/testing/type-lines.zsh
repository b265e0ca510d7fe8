# A terminal in which each argument after the first, a script of completions, is typed as a line of tillwright, with Tab and
# Enter behind it. Prints what tillwright was called with.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -U compinit; compinit -u -D; source $1; tillwright() { print -r -- \"<\$*>\" }; print READ\Y"
zpty -r -m shell out '*READY*'
for line in "${@:2}"; do
  zpty -w -n shell "tillwright $line"$'\t\n'
  zpty -r -m shell out '*<*>*'
  print -r -- "${${out##*<}%%>*}"
done
