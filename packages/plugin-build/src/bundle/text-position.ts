/** Where an offset of a text is for people: lines and columns from 1, in UTF-16 code units. */
export function textPosition(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}
