import './styles/index.css'
import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { render, type ComponentChildren } from 'preact'
import { applyLook } from './look/apply-look.ts'
import { readSettings } from './look/settings.ts'
import { languageOf, languages } from './texts/languages.ts'
import { loadTexts } from './texts/load-texts.ts'
import { WordsProvider } from './texts/use-words.tsx'

/**
 * Starts a page of the plugin. It is drawn once its texts are there, so that nothing moves later. Loading anything else
 * before would cost a slow network's round trip with nothing to see.
 */
export async function startPage(content: ComponentChildren): Promise<void> {
  const page = openPage({ locales: languages.map(({ tag }) => tag) })
  applyLook(document.documentElement, readSettings(page.config.get(), page.templates.get(), location.search))
  const texts = await loadTexts(languageOf(page.locale.get()))
  await new Promise((resolve) => void setTimeout(resolve)) // the session is asked for before drawing keeps the thread busy
  const place = document.getElementById('app')
  if (place === null) throw new Error('The document has no element with the id "app".')
  render(
    <PageProvider page={page}>
      <WordsProvider initial={texts}>{content}</WordsProvider>
    </PageProvider>,
    place,
  )
}
