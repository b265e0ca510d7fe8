import type { AcsTransaction } from '../acs-transaction.ts'
import { TRIES_MAX } from '../challenge-steps.ts'
import { acsPage, type AcsPage } from './acs-page.ts'
import { html } from './html.ts'
import { bankHeader, paymentFacts } from './payment-facts.ts'

/** The page that asks for the code of a text message. After a wrong one it says so, and how many tries are left. */
export function codePage(transaction: AcsTransaction, answerUrl: string): AcsPage {
  const { acsTransactionId, tries } = transaction
  const left = TRIES_MAX - tries
  const wrong = html`<p class="wrong" id="wrong" role="alert">
    The code is wrong. ${left === 1 ? 'One try' : `${left} tries`} left.
  </p>`
  const invalid = html` aria-invalid="true" aria-describedby="wrong"`
  return acsPage({
    title: 'Confirm your payment',
    body: html`${bankHeader(transaction)}
      <main>
        <h1>Confirm your payment</h1>
        ${paymentFacts(transaction)}
        <form method="post" action="${answerUrl}">
          <input type="hidden" name="transaction" value="${acsTransactionId}" />
          <label for="code">Code we sent you</label>
          <input
            id="code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength="10"
            ${tries > 0 ? invalid : null}
          />
          ${tries > 0 ? wrong : null}
          <button class="main" name="action" value="confirm">Confirm</button>
          <p class="others">
            <button name="action" value="again">New code</button>
            <button name="action" value="cancel">Cancel</button>
          </p>
        </form>
        <details>
          <summary>Codes of this test bank</summary>
          <dl>
            <dt>1234</dt>
            <dd>authenticated (Y)</dd>
            <dt>7777</dt>
            <dd>attempted (A)</dd>
            <dt>1111</dt>
            <dd>failed (N)</dd>
            <dt>2222</dt>
            <dd>rejected (R)</dd>
            <dt>3333</dt>
            <dd>unavailable (U)</dd>
          </dl>
        </details>
      </main>`,
  })
}
