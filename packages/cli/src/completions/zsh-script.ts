import { quoted } from './bash-script.ts'
import type { CommandWords, Word } from './command-words.ts'

/** A zsh completion script for `tillwright`, with descriptions. */
export function zshScript(places: readonly CommandWords[]): string {
  return `#compdef tillwright
# Completions of tillwright for zsh: eval "$(tillwright completions zsh)", or a file _tillwright in a folder of $fpath
_tillwright() {
  local at='' skip='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$at $word" in
      ${places.flatMap(valueOptions).join('|')}) skip=1 ;;
      ${places.flatMap(commands).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$at \${words[CURRENT-1]}" in
${places.flatMap(choices).join('\n')}
      *) _files ;;
    esac
    return
  fi
  case "$at" in
${places.map(everything).join('\n')}
  esac
  _describe tillwright found
}
if [[ "\${funcstack[1]}" == _tillwright ]]; then _tillwright "$@"; else compdef _tillwright tillwright; fi
`
}

function valueOptions({ path, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ name }) => quoted(`${path} ${name}`))
}

function commands({ path, commands: below }: CommandWords): string[] {
  return below.map(({ name }) => quoted(`${path} ${name}`))
}

function choices({ path, options }: CommandWords): string[] {
  return options
    .filter((option) => option.choices.length > 0)
    .map((option) => `      ${quoted(`${path} ${option.name}`)}) compadd -- ${option.choices.map(quoted).join(' ')} ;;`)
}

function everything({ path, commands: below, options, values }: CommandWords): string {
  const words = [...below, ...values.map((name) => ({ name, description: '' })), ...options]
  return `    ${quoted(path)}) found=(${words.map(described).join(' ')}) ;;`
}

/** zsh separates a word from its description with a colon. */
function described({ name, description }: Word): string {
  return quoted(`${name.replaceAll(':', String.raw`\:`)}:${description}`)
}
