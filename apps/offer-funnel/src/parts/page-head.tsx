import type { JSX } from 'preact'
import { useLocale, usePage } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import type { PageId } from '../flow/page-of-step.ts'
import { useSettings } from '../settings/use-settings.ts'
import { chooseLanguage, languageOf, languages } from '../texts/texts-store.ts'
import { Picture } from './picture.tsx'

/** The shop's name, and the language. No way leads out of a funnel. */
export function PageHead({ pageId }: { pageId: PageId }): JSX.Element {
  const { brand } = useSettings()
  return (
    <header class={`head head-${pageId}`}>
      <div class="head-inner">
        {brand.logo === '' ? (
          <span class="brand">{brand.name}</span>
        ) : (
          <Picture class="logo" path={brand.logo} alt={brand.name} />
        )}
        <LanguagePicker />
      </div>
    </header>
  )
}

function LanguagePicker(): JSX.Element {
  const page = usePage()
  const texts = useTexts()
  const language = languageOf(useLocale())
  return (
    <select
      class="languages"
      aria-label={texts.language}
      value={language}
      onChange={({ currentTarget }) => chooseLanguage(page, currentTarget.value)}
    >
      {Object.entries(languages).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  )
}
