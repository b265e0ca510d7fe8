import { stripVTControlCharacters } from 'node:util'

/** The width every terminal has, and a readable line length. */
export const TERMINAL_COLUMNS = 80

/** Wraps text between words into indented lines that fit into a terminal. */
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
