import { en, type Texts } from '../frame/texts.ts'
import { isText } from '../wire/guards.ts'
import { unpackTexts } from './unpack-texts.ts'

/** How long a language may take; after that a form that is in use does not change under the buyer's hands any more. */
export const LANGUAGE_TIMEOUT_MS = 10_000

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
