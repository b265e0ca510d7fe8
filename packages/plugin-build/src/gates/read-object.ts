/**
 * The object literal that begins at an offset of a script, its braces included; to the end of the script if it never
 * closes, or to where reading has to stop. Strings are stepped over. A brace within a regular expression misleads it, which
 * costs a finding at most.
 */
export function readObject(script: string, start: number, stop = script.length): string {
  let depth = 0
  let quote = ''
  const last = Math.min(stop, script.length)
  for (let index = start; index < last; index += 1) {
    const char = script.charAt(index)
    if (quote !== '') {
      if (char === '\\') index += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0 && quote === '') return script.slice(start, index + 1)
  }
  return script.slice(start, last)
}
