import { currencyExponent } from '@tillwright/contract'
import type { SimulatedOrder } from '../processor/orders.ts'
import { bankPage, type BankPage } from './bank-page.ts'
import { html, type Html } from './html.ts'
import { type Language, languageOf, writtenAmount } from './language.ts'

/** The page on which a buyer pays an order, or does not: for a voucher it stands for the till. */
export function orderPage(order: SimulatedOrder, acceptLanguage: string): BankPage {
  const language = languageOf(acceptLanguage)
  const { texts } = language
  const isVoucher = order.method === 'voucher'
  const title = isVoucher ? texts.payVoucher : texts.confirmPayment
  return bankPage({
    language,
    title,
    // The buyer goes on to the platform, and from there to the shop, wherever that is.
    leadsOn: order.returnUrl !== null,
    body: html`<header><strong>${texts.bank}</strong><span>${names[order.method]}</span></header>
      <main>
        <h1>${title}</h1>
        <dl>
          <dt>${texts.amount}</dt>
          <dd>${amountOf(order, language)}</dd>
        </dl>
        <form method="post">
          <button class="main" name="choice" value="pay">${isVoucher ? texts.paidAtTill : texts.pay}</button>
          ${isVoucher ? null : html`<p class="others"><button name="choice" value="cancel">${texts.cancel}</button></p>`}
          ${others(texts)}
        </form>
      </main>`,
  })
}

/** Outcomes that exist at a test bank only, such as an expired or a late payment. */
function others(texts: Language['texts']): Html {
  return html`<details>
    <summary>${texts.otherEnds}</summary>
    <p class="others">
      <button name="choice" value="expire">${texts.letExpire}</button>
      <button name="choice" value="late">${texts.payLate}</button>
    </p>
  </details>`
}

/** The page after a choice that leads nowhere, and that of an order which is decided already. */
export function orderEndedPage(acceptLanguage: string): BankPage {
  const language = languageOf(acceptLanguage)
  const { texts } = language
  return bankPage({
    language,
    title: texts.orderEnded,
    body: html`<header><strong>${texts.bank}</strong></header>
      <main>
        <h1>${texts.orderEnded}</h1>
        <p>${texts.orderEndedWhy}</p>
      </main>`,
  })
}

const names = { ideal: 'iDEAL', paypal: 'PayPal', sepa_debit: 'SEPA', voucher: 'Voucher' }

function amountOf({ amount, currency }: SimulatedOrder, language: Language): string {
  return writtenAmount({ digits: String(amount), currency, exponent: currencyExponent(currency) ?? 2 }, language)
}
