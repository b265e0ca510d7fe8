import { isText } from '../wire/index.ts'
import { en, type Texts } from './texts.ts'

/** How long a language may take; after that a form that is in use does not change under the buyer's hands any more. */
const LANGUAGE_TIMEOUT_MS = 10_000

/** Where the files of the languages come from. */
export interface LanguageSource {
  fetch: typeof fetch
  /** The path of the files without a slash at its end. */
  folder: string
}

/**
 * Loads the texts of a language.
 *
 * @param locale One of `localeTags`, or `en`, which is there already.
 * @returns `null` when the file does not come, or is not exactly what the build makes of this language.
 */
export async function loadTexts(locale: string, { fetch, folder }: LanguageSource): Promise<Texts | null> {
  if (locale === en.locale) return en
  try {
    const response = await fetch(`${folder}/${locale}.json`, { signal: AbortSignal.timeout(LANGUAGE_TIMEOUT_MS) })
    const text = await response.text()
    const texts = response.ok && isText(text) ? unpackTexts(JSON.parse(text)) : null
    return texts?.locale === locale ? texts : null
  } catch {
    return null // Offline, cut off, too slow or no JSON: the form goes on in the language that it has.
  }
}

const englishShape = JSON.stringify(en)

/**
 * The texts of a language from the list that `packTexts` made.
 *
 * @returns `null` for anything but a list of exactly as many texts as there are in English, none of them empty.
 */
export function unpackTexts(data: unknown): Texts | null {
  if (!Array.isArray(data) || !data.every((text) => typeof text === 'string' && text !== '')) return null
  let next = 0
  // The shape of the English texts, whose every leaf becomes the next of the list.
  const texts: Texts = JSON.parse(englishShape, (_, value) =>
    typeof value === 'string' ? (data[next++] ?? '') : value,
  )
  return next === data.length ? texts : null
}

/**
 * A language's texts as a list in the order of the English ones, which is how they travel: without names.
 *
 * @throws Error when a text is missing or is no text.
 */
export function packTexts(texts: unknown): string[] {
  return leaves(en, texts, 'texts')
}

function leaves(shape: object | string, texts: unknown, path: string): string[] {
  if (typeof shape === 'string') {
    if (typeof texts === 'string') return [texts]
    throw new Error(`${path} is missing: write it in every language.`)
  }
  const children = new Map(Object.entries(texts ?? {}))
  return Object.entries(shape).flatMap(([key, child]) => leaves(child, children.get(key), `${path}.${key}`))
}
