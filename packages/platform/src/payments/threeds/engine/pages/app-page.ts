import type { AcsTransaction } from '../acs-transaction.ts'
import { acsPage, type AcsPage } from './acs-page.ts'
import { html } from './html.ts'
import { bankHeader, paymentFacts } from './payment-facts.ts'

/** Asks every second whether the bank's app has been answered, and goes on as soon as it has. */
const script = `
const form = document.forms[0]
async function look() {
  try {
    const answer = await fetch(form.dataset.state)
    if ((await answer.json()).ended) return form.submit()
  } catch {}
  setTimeout(look, 1000)
}
look()
`

/** Where the page's forms and its questions go. */
export interface AppPageUrls {
  answerUrl: string
  stateUrl: string
}

/** The page that waits for an answer in the bank's app. It goes on by itself, and at a press of its button. */
export function appPage(transaction: AcsTransaction, { answerUrl, stateUrl }: AppPageUrls): AcsPage {
  const id = html`<input type="hidden" name="transaction" value="${transaction.acsTransactionId}" />`
  return acsPage({
    title: 'Confirm in your bank’s app',
    script,
    body: html`${bankHeader(transaction)}
      <main>
        <h1>Confirm in your bank’s app</h1>
        ${paymentFacts(transaction)}
        <p class="waiting" role="status">Waiting for your answer in the app.</p>
        <form method="post" action="${answerUrl}" data-state="${stateUrl}">
          ${id} <button class="main">I have confirmed</button>
        </form>
        <form class="others" method="post" action="${answerUrl}">
          ${id} <button name="action" value="cancel">Cancel</button>
        </form>
        <details>
          <summary>About this test bank</summary>
          <p>Its app answers by itself after three seconds.</p>
        </details>
      </main>`,
  })
}
