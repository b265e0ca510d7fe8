import en from './en.json'
import type { Language, Texts } from './languages.ts'

/** English is part of the page; each other language is a file of its own. */
const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import('./de.json')).default,
  fr: async () => (await import('./fr.json')).default,
  es: async () => (await import('./es.json')).default,
  ar: async () => (await import('./ar.json')).default,
}

/** Loads a language. One that does not arrive leaves the page in English, which is better than no page. */
export async function loadTexts(language: Language): Promise<Texts> {
  try {
    return await loaders[language]()
  } catch {
    return en
  }
}
