/** Texts by language: `{ en: 'Buy now', 'pt-BR': 'Comprar' }`. */
export type Translation = Readonly<Record<string, string>>

/**
 * The text in the language that serves a locale best: the same tag, else a shorter one (`zh-Hant` for `zh-Hant-TW`),
 * else another one of the same language, then the same for each of the fallbacks, else the first text there is. An empty
 * text counts as none.
 *
 * @param text Texts by language; a text by itself stands for all of them.
 * @param locales BCP 47 tags: the wanted one, then the fallbacks.
 * @returns An empty text when there is none.
 */
export function translate(text: Translation | string | null | undefined, ...locales: readonly string[]): string {
  if (typeof text === 'string') return text
  const texts = Object.entries(text ?? {}).filter(([, words]) => words)
  const find = (fits: (tag: string) => boolean): string | undefined =>
    texts.find(([tag]) => fits(tag.toLowerCase()))?.[1]
  for (const locale of locales) {
    const parts = locale.toLowerCase().split('-')
    for (let length = parts.length; length > 0; length -= 1) {
      const found = find((tag) => tag === parts.slice(0, length).join('-'))
      if (found) return found
    }
    const related = find((tag) => tag.split('-')[0] === parts[0])
    if (related) return related
  }
  return texts[0]?.[1] ?? ''
}

/** Puts values in the place of their names in braces: `Pay {amount}`. A name without a value stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}
