import type { Client } from '@tillwright/client'
import { html } from 'hono/html'
import { formatMoney } from '../page/money.js'
import { type Html, shopDocument } from './shop-page.ts'
import type { Language } from './texts/index.ts'

/** The fields of a payment that a receipt shows, as the platform returns them. */
export interface Bought {
  payment: Awaited<ReturnType<Client['payments']['get']>>
  order: Awaited<ReturnType<Client['orders']['get']>>
  instrument: Awaited<ReturnType<Client['paymentInstruments']['get']>>
}

/** The address of a payment's receipt. Its id has 83 random bits and is known only to the buyer. */
export function receiptPath(paymentId: string): string {
  return `/receipt/${paymentId}`
}

/**
 * The receipt of a payment, which has an address of its own: it can be loaded again, kept, and come back to.
 *
 * @param isPaid Whether the shop's server has the signed word of the platform, which is more than an accepted card.
 */
export function receiptPage({ payment, order, instrument }: Bought, isPaid: boolean, language: Language): Html {
  const { texts, tag } = language
  const { card, customer } = instrument
  const articles = order.lines.map(({ quantity, name }) => `${quantity} × ${name}`)
  const rows = [
    ...articles.map((article) => [texts.article, article]),
    [texts.total, formatMoney(payment.amount, payment.currency, tag)],
    [texts.card, `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} •••• ${card.last4}`],
    [texts.receiptTo, customer.email],
    [texts.order, order.id],
  ]
  return shopDocument({
    language,
    title: texts.thanks,
    head: isPaid
      ? html``
      : html`<script src="/receipt.js" type="module"></script>
          <noscript><meta http-equiv="refresh" content="2" /></noscript>`,
    panel: html`<section id="receipt" aria-labelledby="receipt-title">
      <h1 id="receipt-title">${texts.thanks}</h1>
      ${stateOf({ payment, order }, isPaid, texts)}
      <dl>
        ${rows.map(
          ([term, text]) =>
            html`<div>
              <dt>${term}</dt>
              <dd><bdi>${text}</bdi></dd>
            </div>`,
        )}
      </dl>
      <a class="again" href="/">${texts.back}</a>
    </section>`,
  })
}

function stateOf({ payment, order }: Omit<Bought, 'instrument'>, isPaid: boolean, texts: Language['texts']): Html {
  if (payment.status === 'refunded') return html`<p class="state" role="status">${texts.refunded}</p>`
  if (isPaid) return html`<p class="state" id="state" role="status" data-state="paid">${texts.paid}</p>`
  return html`<p
    class="state"
    id="state"
    role="status"
    data-state="waiting"
    data-order="${order.id}"
    data-paid="${texts.paid}"
  >
    ${texts.confirming}
  </p>`
}

/** The page at an address that no payment has. */
export function noReceiptPage(language: Language): Html {
  const { texts } = language
  return shopDocument({
    language,
    title: texts.notFound,
    head: html``,
    panel: html`<section id="receipt">
      <h1>${texts.notFound}</h1>
      <a class="again" href="/">${texts.back}</a>
    </section>`,
  })
}
