import { requiredText, type EmvMessage } from '@tillwright/emv-3ds'
import { acsPage, type AcsPage } from './acs-page.ts'
import { html } from './html.ts'

/** The page for a browser that came with something wrong; it tells the Erro to whoever looks for the mistake. */
export function refusedPage(erro: EmvMessage): AcsPage {
  return acsPage({
    status: 400,
    title: 'The bank cannot go on',
    body: html`<header><strong>Test bank</strong></header>
      <main>
        <h1>The bank cannot go on</h1>
        <p>Go back to the shop and try again, or pay in another way.</p>
        <dl>
          <dt>Error</dt>
          <dd>${requiredText(erro, 'errorCode')}</dd>
          <dt>Meaning</dt>
          <dd>${requiredText(erro, 'errorDescription')}</dd>
          <dt>Detail</dt>
          <dd>${requiredText(erro, 'errorDetail')}</dd>
        </dl>
      </main>`,
  })
}
