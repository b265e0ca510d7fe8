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
  for (const locale of locales) {
    for (let wanted = locale.toLowerCase(); wanted; wanted = wanted.replace(/-?[^-]*$/, '')) {
      const isLanguage = !wanted.includes('-')
      const find = (fits: (tag: string) => boolean) => texts.find(([tag]) => fits(tag.toLowerCase()))
      const found = find((tag) => tag === wanted) ?? (isLanguage && find((tag) => tag.startsWith(`${wanted}-`)))
      if (found) return found[1]
    }
  }
  return texts[0]?.[1] ?? ''
}

/** Puts values in the place of their names in braces: `Pay {amount}`. A name without a value stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}
