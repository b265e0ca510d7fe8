import { useLocale, usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { languageOf, languages } from '../texts/languages.ts'
import { useWords } from '../texts/use-words.tsx'

/** Lets the buyer choose another language. */
export function LanguageChoice(): JSX.Element {
  const page = usePage()
  const locale = useLocale()
  const say = useWords()
  return (
    <label class="language">
      <span>{say('language')}</span>
      <select value={languageOf(locale)} onChange={({ currentTarget }) => page.locale.set(currentTarget.value)}>
        {languages.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
