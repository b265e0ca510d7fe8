/** A place in a text, as editors count: from 1, columns in UTF-16 code units. */
export interface Position {
  line: number
  column: number
}

/** Where the lines of a text begin. Lines end with LF, CR LF or CR. */
export function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length)]
}

/** The place of an offset; an offset behind the end is the end. */
export function positionAt(starts: readonly number[], offset: number): Position {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
