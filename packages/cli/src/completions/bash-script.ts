import type { CommandWords } from './command-words.ts'

/** A bash completion script for `tillwright`. It needs no other program; bash 3.2 is enough. */
export function bashScript(places: readonly CommandWords[]): string {
  return `# Completions of tillwright for bash: eval "$(tillwright completions bash)"
_tillwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at='' skip='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$at $word" in
      ${alternatives(places.flatMap(valueOptions))}) skip=1 ;;
      ${alternatives(places.flatMap(commands))}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$at $previous" in
${places.flatMap(choices).join('\n')}
      *) compopt -o default 2>/dev/null; COMPREPLY=(); return ;;
    esac
  else
    case "$at" in
${places.map(everything).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _tillwright tillwright
`
}

function alternatives(texts: readonly string[]): string {
  return texts.map(quoted).join('|')
}

function valueOptions({ path, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ name }) => `${path} ${name}`)
}

function commands({ path, commands: below }: CommandWords): string[] {
  return below.map(({ name }) => `${path} ${name}`)
}

function choices({ path, options }: CommandWords): string[] {
  return options
    .filter((option) => option.choices.length > 0)
    .map((option) => `      ${quoted(`${path} ${option.name}`)}) words=${quoted(option.choices.join(' '))} ;;`)
}

function everything({ path, commands: below, options, values }: CommandWords): string {
  const words = [...below.map(({ name }) => name), ...values, ...options.map(({ name }) => name)]
  return `      ${quoted(path)}) words=${quoted(words.join(' '))} ;;`
}

/** Quotes any text as one word of bash or zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
