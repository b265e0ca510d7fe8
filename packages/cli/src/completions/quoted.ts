/** A text as one word of bash or zsh, whatever stands in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
