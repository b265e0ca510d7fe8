import './styles/index.css'
import { openPage, type Page } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { render, type ComponentChildren } from 'preact'
import { applyLook } from './look/apply-look.ts'
import { readSettings, type Settings } from './look/settings.ts'
import { languageOf, languages } from './texts/languages.ts'
import { loadTexts } from './texts/load-texts.ts'
import { WordsProvider } from './texts/use-words.tsx'

/**
 * Starts a page of the plugin. It is drawn once all that decides about its lines is there, so that nothing moves later: the
 * texts, and what the page itself has to load.
 *
 * @param prepare Loads what the page needs before it is drawn, and returns the page.
 */
export async function startPage(prepare: (settings: Settings) => Promise<ComponentChildren>): Promise<void> {
  const page = openPage({ locales: languages.map(({ tag }) => tag) })
  const settings = settingsOf(page)
  applyLook(document.documentElement, settings)
  const [texts, content] = await Promise.all([loadTexts(languageOf(page.locale.get())), prepare(settings)])
  const place = document.getElementById('app')
  if (place === null) throw new Error('The document has no element with the id "app".')
  render(
    <PageProvider page={page}>
      <WordsProvider initial={texts}>{content}</WordsProvider>
    </PageProvider>,
    place,
  )
}

function settingsOf({ config, templates }: Page): Settings {
  return readSettings(config.get(), templates.get(), location.search)
}
