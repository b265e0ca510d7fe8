/** Escaped HTML, as opposed to plain text. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Builds HTML. Interpolated values are escaped, for double-quoted attributes as well, unless they are `Html`. */
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
