import { stripVTControlCharacters } from 'node:util'

/** As wide as a terminal is at least, and as text is read well. */
export const TERMINAL_COLUMNS = 80

/** Breaks text between words into lines that stand below each other behind an indentation, and fit into a terminal. */
export function wrap(text: string, indent: number): string {
  const room = TERMINAL_COLUMNS - indent
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || widthOf(`${last} ${word}`) > room) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
