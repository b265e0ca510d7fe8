/** A piece of HTML, as opposed to text that has yet to be escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Builds HTML. Whatever is put in is escaped, for an attribute in double quotes too, unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | number | Html | null)[]): Html {
  return new Html(strings.map((part, index) => part + written(values[index] ?? null)).join(''))
}

function written(value: string | number | Html | null): string {
  if (value === null) return ''
  return value instanceof Html ? value.text : escaped(String(value))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
