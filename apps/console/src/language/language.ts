/** The languages of the console, by their BCP 47 tags; the first is that of a browser that asks for none of them. */
export const languages = ['en', 'de', 'es', 'fr', 'ar'] as const
export type Language = (typeof languages)[number]

/** How each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ar: 'العربية',
}

const STORED = 'tillwright.language'

/** The reader's language: the one that was chosen, else the first that the browser asks for and the console has. */
export const language: Language = chosen() ?? firstOf(navigator.languages) ?? 'en'

/** For `Intl`: the browser's own form of the language, such as `en-GB`, so that dates look as the reader expects. */
export const locale: string = navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language

/** Remembers a language and shows the page anew in it. */
export function chooseLanguage(to: Language): void {
  localStorage.setItem(STORED, to)
  location.reload()
}

/** Says in the document which language it is in, for screen readers, hyphenation and the direction of the layout. */
export function declareLanguage(): void {
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
}

function chosen(): Language | undefined {
  return firstOf([localStorage.getItem(STORED) ?? ''])
}

function firstOf(tags: readonly string[]): Language | undefined {
  return tags.map((tag) => languages.find((each) => each === tag.split('-')[0])).find((found) => found !== undefined)
}
