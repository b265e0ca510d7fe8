import { usePage, useLocale } from '@tillwright/plugin-sdk/preact'
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import en from './en.json'
import { languageOf, type Texts } from './languages.ts'
import { loadTexts } from './load-texts.ts'

/** Says a text of the plugin in the page's language, with values in the place of names in braces. */
export type Say = (key: keyof Texts, values?: Readonly<Record<string, string | number>>) => string

const Words = createContext<Texts>(en)

/** Gives the texts of the page's language to all below; those that are there stay until others have come. */
export function WordsProvider({ initial, children }: { initial: Texts; children: ComponentChildren }) {
  const language = languageOf(useLocale())
  const [texts, setTexts] = useState(initial)
  useEffect(() => {
    let isLeft = false
    void loadTexts(language).then((loaded) => (isLeft ? undefined : setTexts(loaded)))
    return () => void (isLeft = true)
  }, [language])
  return <Words.Provider value={texts}>{children}</Words.Provider>
}

/** Returns the translation function of the page's language. */
export function useWords(): Say {
  const texts = useContext(Words)
  const { t } = usePage()
  return (key, values) => t(texts[key], values)
}
