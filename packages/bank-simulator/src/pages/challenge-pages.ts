import { currencyOfNumber } from '@tillwright/contract'
import { brandTitle } from '@tillwright/contract/networks'
import { requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import type { AcsTransaction } from '../bank/authentications.ts'
import { codes, TRIES_MAX } from '../bank/challenge.ts'
import { bankPage, type BankPage } from './bank-page.ts'
import { html, type Html } from './html.ts'
import { type Language, languageOf, writtenAmount } from './language.ts'

/**
 * Moves the focus, posts the height of the page to the frame around it, and handles Esc, which that frame cannot see.
 * Source of the message: apps/docs/pages/3-d-secure/production.md, "The bank's page".
 */
const standScript = `
document.getElementById('code')?.focus()
const main = document.querySelector('main')
const tell = () => parent.postMessage({ height: Math.ceil(main.getBoundingClientRect().bottom + scrollY) }, '*')
if (parent !== window) new ResizeObserver(tell).observe(main)
addEventListener('keydown', ({ key }) => key === 'Escape' && document.querySelector('[value=cancel]').click())
`

/** The page that asks for the code from a text message. After a wrong code it shows the number of tries left. */
export function codePage(transaction: AcsTransaction, answerUrl: string): BankPage {
  const { acsTransactionId, tries } = transaction
  const language = buyersLanguage(transaction)
  const { texts } = language
  const wrong = html`<p class="wrong" id="wrong" role="alert">
    ${TRIES_MAX - tries === 1 ? texts.wrongOneLeft : texts.wrongTwoLeft}
  </p>`
  const invalid = html` aria-invalid="true" aria-describedby="wrong"`
  return bankPage({
    language,
    title: texts.confirmPayment,
    script: standScript,
    body: html`${bankHeader(transaction, language)}
      <main>
        <h1>${texts.confirmPayment}</h1>
        ${paymentFacts(transaction, language)}
        <form method="post" action="${answerUrl}">
          <input type="hidden" name="transaction" value="${acsTransactionId}" />
          <label for="code">${texts.code}</label>
          <input
            id="code"
            name="code"
            dir="ltr"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength="10"
            ${tries > 0 ? invalid : null}
          />
          ${tries > 0 ? wrong : null}
          <button class="main" name="action" value="confirm">${texts.confirm}</button>
          <p class="others">
            <button name="action" value="again">${texts.newCode}</button>
            <button name="action" value="cancel">${texts.cancel}</button>
          </p>
        </form>
        <details>
          <summary>${texts.codes}</summary>
          <dl>${knownCodes(texts)}</dl>
        </details>
      </main>`,
  })
}

function knownCodes({ authenticated, attempted, failed, rejected, unavailable }: Language['texts']): Html {
  const meanings = { Y: authenticated, A: attempted, N: failed, R: rejected, U: unavailable }
  return [...codes].reduce(
    (before, [code, status]) =>
      html`${before}
        <dt>${code}</dt>
        <dd>${meanings[status]} (${status})</dd>`,
    html``,
  )
}

/** Polls every second until the bank's app has been answered, then continues. */
const watchScript = `${standScript}
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

/** Targets of the page's form and of its polling. */
export interface AppPageUrls {
  answerUrl: string
  stateUrl: string
}

/** The page that waits for an answer in the bank's app. It continues automatically or when its button is pressed. */
export function appPage(transaction: AcsTransaction, { answerUrl, stateUrl }: AppPageUrls): BankPage {
  const id = html`<input type="hidden" name="transaction" value="${transaction.acsTransactionId}" />`
  const language = buyersLanguage(transaction)
  const { texts } = language
  return bankPage({
    language,
    title: texts.confirmInApp,
    script: watchScript,
    body: html`${bankHeader(transaction, language)}
      <main>
        <h1>${texts.confirmInApp}</h1>
        ${paymentFacts(transaction, language)}
        <p class="waiting" role="status">${texts.waiting}</p>
        <form method="post" action="${answerUrl}" data-state="${stateUrl}">
          ${id} <button class="main">${texts.confirmed}</button>
        </form>
        <form class="others" method="post" action="${answerUrl}">
          ${id} <button name="action" value="cancel">${texts.cancel}</button>
        </form>
        <details>
          <summary>${texts.about}</summary>
          <p>${texts.answersItself}</p>
        </details>
      </main>`,
  })
}

/** A form that a page submits automatically. */
export interface Leaving {
  target: string
  fields: Readonly<Record<string, string>>
  /** Delay in milliseconds; `null` if it never submits. */
  afterMs: number | null
  /** A `browserLanguage`; empty if unknown, on pages that buyers do not see. */
  browserLanguage: string
}

/** Submits the form after the delay in its data attribute. */
const leaveScript = `
const form = document.forms[0]
const after = Number(form.dataset.after)
if (after === 0) form.submit()
else setTimeout(() => form.submit(), after)
`

/** A page that posts its fields to another address automatically, or with a button if scripts are disabled. */
export function leavingPage({ target, fields, afterMs, browserLanguage }: Leaving): BankPage {
  if (afterMs === null) return stayingPage(browserLanguage)
  const language = languageOf(browserLanguage)
  const { texts } = language
  return bankPage({
    language,
    title: texts.back,
    script: leaveScript,
    formTarget: target,
    body: html`<main>
      <h1>${texts.back}</h1>
      <form method="post" action="${target}" data-after="${afterMs}">
        ${hidden(fields)} <button class="main">${texts.goOn}</button>
      </form>
    </main>`,
  })
}

/** A page that leads no further. */
export function stayingPage(browserLanguage: string): BankPage {
  const language = languageOf(browserLanguage)
  const { texts } = language
  return bankPage({
    language,
    title: texts.wait,
    body: html`<main>
      <h1>${texts.wait}</h1>
    </main>`,
  })
}

function hidden(fields: Readonly<Record<string, string>>): Html {
  return Object.entries(fields).reduce(
    (before, [name, value]) => html`${before}<input type="hidden" name="${name}" value="${value}" />`,
    html``,
  )
}

/**
 * The page for an invalid request from a browser. It shows the Erro to help the developer find the mistake.
 *
 * @param acceptLanguage The browser's header, because an unreadable message carries no language.
 */
export function refusedPage(erro: EmvMessage, acceptLanguage: string): BankPage {
  const language = languageOf(acceptLanguage)
  const { texts } = language
  return bankPage({
    language,
    status: 400,
    title: texts.cannotGoOn,
    body: html`<header><strong>${texts.bank}</strong></header>
      <main>
        <h1>${texts.cannotGoOn}</h1>
        <p>${texts.tryAgain}</p>
        <dl lang="en" dir="ltr">
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

function buyersLanguage({ areq }: Pick<AcsTransaction, 'areq'>): Language {
  return languageOf(textOf(areq, 'browserLanguage') ?? '')
}

/** The header of a page: the name of the bank and the network of the card. */
function bankHeader({ brand }: Pick<AcsTransaction, 'brand'>, { texts }: Language): Html {
  return html`<header><strong>${texts.bank}</strong> <span>${brandTitle(brand)}</span></header>`
}

/** The payment to confirm: merchant, amount, and card. */
function paymentFacts({ areq, last4 }: Pick<AcsTransaction, 'areq' | 'last4'>, language: Language): Html {
  const { texts } = language
  const line = (term: string, fact: string | null | undefined): Html | null =>
    fact === null || fact === undefined
      ? null
      : html`<dt>${term}</dt>
          <dd><bdi>${fact}</bdi></dd>`
  return html`<dl>
    ${line(texts.shop, textOf(areq, 'merchantName'))} ${line(texts.amount, amountOf(areq, language))}
    ${line(texts.card, texts.endsIn.replace('{last4}', last4))}
  </dl>`
}

function amountOf(areq: AcsTransaction['areq'], language: Language): string | null {
  const digits = textOf(areq, 'purchaseAmount')
  const currency = currencyOfNumber(textOf(areq, 'purchaseCurrency') ?? '')
  if (digits === undefined || currency === null) return null
  return writtenAmount({ digits, currency, exponent: Number(textOf(areq, 'purchaseExponent') ?? 0) }, language)
}
