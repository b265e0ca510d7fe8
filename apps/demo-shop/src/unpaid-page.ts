import type { Payment } from '@tillwright/contract'
import { html } from 'hono/html'
import { declined } from './refusal.ts'
import { type Html, shopDocument } from './shop-page.ts'
import type { Language } from './texts/index.ts'

/**
 * The page of a payment whose buyer was led to a method's page, and that has brought no money: it was cancelled, refused or
 * not made in time; or it is still open, and the buyer may go on.
 */
export function unpaidPage({ nextAction, declineCode, paymentMethod }: Payment, language: Language): Html {
  const { texts } = language
  const goOn = nextAction?.type === 'redirect' ? nextAction.url : null
  const title = goOn === null ? texts.notPaid : texts.notPaidYet
  return shopDocument({
    language,
    title,
    head: html``,
    panel: html`<section id="receipt" aria-labelledby="receipt-title">
      <h1 id="receipt-title">${title}</h1>
      <p role="status">${goOn === null ? texts[declined(declineCode, paymentMethod.type).text] : texts.stillOpen}</p>
      ${goOn !== null && html`<a class="pay" href="${goOn}">${texts.goOn}</a>`}
      <a class="again" href="/">${texts.back}</a>
    </section>`,
  })
}
