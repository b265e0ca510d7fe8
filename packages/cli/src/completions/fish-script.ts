import type { OptionWord, CommandWords } from './command-words.ts'

/** A fish completion script for `tillwright`, with descriptions. */
export function fishScript(places: readonly CommandWords[]): string {
  return `# Completions of tillwright for fish: tillwright completions fish > ~/.config/fish/completions/tillwright.fish
function __tillwright_at
    set -l at ''
    set -l skip ''
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip ''
            continue
        end
        switch "$at $word"
            case ${places.flatMap(valueOptions).join(' ')}
                set skip 1
            case ${places.flatMap(commands).join(' ')}
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c tillwright -f
${places.flatMap(everything).join('\n')}
`
}

function valueOptions({ path, options }: CommandWords): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ name }) => quoted(`${path} ${name}`))
}

function commands({ path, commands: below }: CommandWords): string[] {
  return below.map(({ name }) => quoted(`${path} ${name}`))
}

function everything({ path, commands: below, options, values }: CommandWords): string[] {
  const here = `complete -c tillwright -n ${quoted(`__tillwright_at ${quoted(path)}`)}`
  return [
    ...below.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(values.length === 0 ? [] : [`${here} -a ${quoted(values.join(' '))}`]),
    ...options.map((option) => `${here} ${optionText(option)}`),
  ]
}

function optionText({ name, description, takesValue, choices }: OptionWord): string {
  const prefix = `-l ${name.replace(/^--/, '')} -d ${quoted(description)}`
  if (choices.length > 0) return `${prefix} -x -a ${quoted(choices.join(' '))}`
  return takesValue ? `${prefix} -r -F` : prefix
}

/** Quotes a text as one word of fish, which has two escapes inside single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`
}
