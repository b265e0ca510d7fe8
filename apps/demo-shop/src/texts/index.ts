import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

export type { Texts } from './en.ts'

/** The languages of the shop's own pages. The card form speaks many more, and is not held to these. */
export const languages: ReadonlyMap<string, Texts> = new Map(Object.entries({ ar, de, en, es, fr, it, ja, nl, pl, pt }))

/** A buyer's language. */
export interface Language {
  /** BCP 47, with the buyer's region where there is one: `de-AT`. Amounts are written in its way. */
  tag: string
  direction: 'ltr' | 'rtl'
  texts: Texts
}

/**
 * The first of a browser's languages that the shop has; English where it has none.
 *
 * @param acceptLanguage The header of that name, such as `de-AT,de;q=0.9,en;q=0.8`.
 */
export function languageOf(acceptLanguage: string): Language {
  const wanted = acceptLanguage
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const quality = parameters.find((each) => each.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of wanted) {
    const language = tag.slice(0, 2).toLowerCase()
    const texts = /^..(-|$)/.test(tag) ? languages.get(language) : undefined
    if (texts !== undefined) return { tag: canonical(tag), direction: language === 'ar' ? 'rtl' : 'ltr', texts }
  }
  return { tag: 'en', direction: 'ltr', texts: en }
}

/** Subtags in an order that no rule allows are left out: what is asked for is no more than a wish. */
function canonical(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en'
  } catch {
    return tag.slice(0, 2).toLowerCase()
  }
}
