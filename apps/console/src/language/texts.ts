import { language } from './language.ts'

/** The texts of one part of the console in one language. `{name}` stands where a value goes. */
export type Texts = Readonly<Record<string, string>>

/** Values for the places of a text. */
type Values = Readonly<Record<string, string | number>>

const loaders = import.meta.glob<{ texts: Texts }>('../**/texts/*.ts')
const loaded = new Map<string, Texts>()

/**
 * Loads the texts of a part in the reader's language. Each part's are a chunk of their own, fetched with its page.
 *
 * @param part The folder that has the texts, below `src`: `pages/payments`.
 */
export async function loadTexts(part: string): Promise<void> {
  if (loaded.has(part)) return
  const loader = loaders[`../${part}/texts/${language}.ts`]
  if (loader === undefined) throw new Error(`${part} has no texts in ${language}.`)
  loaded.set(part, (await loader()).texts)
}

/**
 * The texts of a part, by their keys. A text in plural forms has one key for each: `payments.one`, `payments.other`; it is
 * asked for as `payments` with a `count`.
 *
 * @returns Says one text, with its values filled in.
 */
export function textsOf<English extends Texts>(part: string): (key: Keys<English>, values?: Values) => string {
  return (name, values = {}) => {
    const key = String(name)
    const texts = loaded.get(part)
    if (texts === undefined) throw new Error(`The texts of ${part} are not loaded.`)
    const text = texts[key] ?? texts[`${key}.${pluralOf(values['count'])}`] ?? texts[`${key}.other`] ?? key
    return text.replace(/\{(\w+)\}/g, (place: string, value: string) => shown(values[value]) ?? place)
  }
}

/**
 * The text of one of the contract's codes. A platform that is newer than this page may have codes that it does not know.
 *
 * @param otherwise The text for a code that has none here, usually its own.
 */
export function wordsOf<Key extends string>(text: (key: Key) => string, key: Key, fallback: string): string {
  const words = text(key)
  return words === key ? fallback : words
}

type Keys<English> = keyof English extends infer Key ? (Key extends `${infer Stem}.${PluralForm}` ? Stem : Key) : never

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'

const plurals = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(language)

function pluralOf(count: string | number | undefined): string {
  return typeof count === 'number' ? plurals.select(count) : 'other'
}

function shown(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? numbers.format(value) : value
}
