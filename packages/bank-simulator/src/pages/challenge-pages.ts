import { currencyOfNumber } from '@tillwright/contract'
import { requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import type { AcsTransaction } from '../bank/authentications.ts'
import { TRIES_MAX } from '../bank/challenge.ts'
import { bankPage, type BankPage } from './bank-page.ts'
import { html, type Html } from './html.ts'

/** The page that asks for the code of a text message. After a wrong one it says so, and how many tries are left. */
export function codePage(transaction: AcsTransaction, answerUrl: string): BankPage {
  const { acsTransactionId, tries } = transaction
  const left = TRIES_MAX - tries
  const wrong = html`<p class="wrong" id="wrong" role="alert">
    The code is wrong. ${left === 1 ? 'One try' : `${left} tries`} left.
  </p>`
  const invalid = html` aria-invalid="true" aria-describedby="wrong"`
  return bankPage({
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

/** Asks every second whether the bank's app has been answered, and goes on as soon as it has. */
const watchScript = `
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
export function appPage(transaction: AcsTransaction, { answerUrl, stateUrl }: AppPageUrls): BankPage {
  const id = html`<input type="hidden" name="transaction" value="${transaction.acsTransactionId}" />`
  return bankPage({
    title: 'Confirm in your bank’s app',
    script: watchScript,
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

/** What a page sends on by itself. */
export interface Leaving {
  target: string
  fields: Readonly<Record<string, string>>
  /** Milliseconds that it waits; `null` when it never leaves. */
  afterMs: number | null
}

/** Sends its form after the time that the form tells. */
const leaveScript = `
const form = document.forms[0]
const after = Number(form.dataset.after)
if (after === 0) form.submit()
else setTimeout(() => form.submit(), after)
`

/** A page that posts its fields to another place by itself, or by its button where no script runs. */
export function leavingPage({ target, fields, afterMs }: Leaving): BankPage {
  if (afterMs === null) return stayingPage()
  return bankPage({
    title: 'Back to the shop',
    script: leaveScript,
    formTarget: target,
    body: html`<main>
      <h1>Back to the shop</h1>
      <form method="post" action="${target}" data-after="${afterMs}">
        ${hidden(fields)} <button class="main">Continue</button>
      </form>
    </main>`,
  })
}

/** A page that goes nowhere. */
export function stayingPage(): BankPage {
  return bankPage({
    title: 'Please wait',
    body: html`<main>
      <h1>Please wait</h1>
      <p>Nothing follows.</p>
    </main>`,
  })
}

function hidden(fields: Readonly<Record<string, string>>): Html {
  return Object.entries(fields).reduce(
    (before, [name, value]) => html`${before}<input type="hidden" name="${name}" value="${value}" />`,
    html``,
  )
}

/** The page for a browser that came with something wrong; it tells the Erro to whoever looks for the mistake. */
export function refusedPage(erro: EmvMessage): BankPage {
  return bankPage({
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

/** The head of a page of the bank: its name, and the network of the card. */
function bankHeader({ brand }: Pick<AcsTransaction, 'brand'>): Html {
  return html`<header><strong>Test bank</strong> <span>${networkNames.get(brand) ?? brand}</span></header>`
}

/** What the buyer confirms: to whom, how much, with which card. */
function paymentFacts({ areq, last4 }: Pick<AcsTransaction, 'areq' | 'last4'>): Html {
  const merchant = textOf(areq, 'merchantName')
  const amount = amountOf(areq)
  return html`<dl>
    ${
      merchant === undefined
        ? null
        : html`<dt>Shop</dt>
            <dd>${merchant}</dd>`
    }
    ${
      amount === null
        ? null
        : html`<dt>Amount</dt>
            <dd>${amount}</dd>`
    }
    <dt>Card</dt>
    <dd>ends in ${last4}</dd>
  </dl>`
}

const networkNames = new Map([
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['discover', 'Discover'],
  ['diners', 'Diners Club'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay'],
  ['maestro', 'Maestro'],
])

/** The amount with its currency's code; up to 48 digits, so it is never made a number. */
function amountOf(areq: AcsTransaction['areq']): string | null {
  const digits = textOf(areq, 'purchaseAmount')
  const currency = currencyOfNumber(textOf(areq, 'purchaseCurrency') ?? '')
  const exponent = Number(textOf(areq, 'purchaseExponent') ?? 0)
  if (digits === undefined || currency === null) return null
  const padded = digits.padStart(exponent + 1, '0')
  const point = padded.length - exponent
  return `${currency} ${padded.slice(0, point)}${exponent === 0 ? '' : `.${padded.slice(point)}`}`
}
