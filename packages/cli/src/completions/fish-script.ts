import type { OptionWord, Place } from './words-of.ts'

/** A script that makes fish complete the words of `tillwright`, with what each is for. */
export function fishScript(places: readonly Place[]): string {
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

function valueOptions({ path, options }: Place): string[] {
  return options.filter(({ takesValue }) => takesValue).map(({ name }) => quoted(`${path} ${name}`))
}

function commands({ path, commands: below }: Place): string[] {
  return below.map(({ name }) => quoted(`${path} ${name}`))
}

function everything({ path, commands: below, options, values }: Place): string[] {
  const here = `complete -c tillwright -n ${quoted(`__tillwright_at ${quoted(path)}`)}`
  return [
    ...below.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(values.length === 0 ? [] : [`${here} -a ${quoted(values.join(' '))}`]),
    ...options.map((option) => `${here} ${optionText(option)}`),
  ]
}

function optionText({ name, description, takesValue, choices }: OptionWord): string {
  const said = `-l ${name.replace(/^--/, '')} -d ${quoted(description)}`
  if (choices.length > 0) return `${said} -x -a ${quoted(choices.join(' '))}`
  return takesValue ? `${said} -r -F` : said
}

/** A text as one word of fish, which knows two escapes between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`
}
