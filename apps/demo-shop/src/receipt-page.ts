import type { Client } from '@tillwright/client'
import type { Payment } from '@tillwright/contract'
import { html } from 'hono/html'
import { formatMoney } from '../page/money.js'
import { type Html, shopDocument } from './shop-page.ts'
import type { Language } from './texts/index.ts'

/** The fields of a payment that a receipt shows, as the platform returns them. */
export interface Bought {
  payment: Payment
  order: Awaited<ReturnType<Client['orders']['get']>>
  customer: Awaited<ReturnType<Client['customers']['get']>>
  /** The card; `null` for a payment with another method. */
  card: Awaited<ReturnType<Client['paymentInstruments']['get']>>['card'] | null
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
export function receiptPage(bought: Bought, isPaid: boolean, language: Language): Html {
  const { payment, order, customer } = bought
  const { texts, tag } = language
  const articles = order.lines.map(({ quantity, name }) => `${quantity} × ${name}`)
  const rows = [
    ...articles.map((article) => [texts.article, article]),
    [texts.total, formatMoney(payment.amount, payment.currency, tag)],
    paidWith(bought, texts),
    [texts.receiptTo, customer.email],
    [texts.order, order.id],
  ]
  return shopDocument({
    language,
    title: texts.thanks,
    head: isPaid
      ? html``
      : html`<script src="/receipt.js" type="module"></script>
          ${endsSoon(payment) && html`<noscript><meta http-equiv="refresh" content="2" /></noscript>`}`,
    panel: html`<section id="receipt" aria-labelledby="receipt-title">
      <h1 id="receipt-title">${texts.thanks}</h1>
      ${stateOf(bought, isPaid, texts)} ${payment.status === 'processing' && !isPaid && whatFollows(payment, language)}
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

/** The card, or the method with what is known of its account. */
function paidWith({ payment, card }: Bought, texts: Language['texts']): [term: string, text: string] {
  if (card !== null) {
    return [texts.card, `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} •••• ${card.last4}`]
  }
  const { type, sepaDebit } = payment.paymentMethod
  const names = {
    card: texts.card,
    ideal: 'iDEAL',
    paypal: 'PayPal',
    sepa_debit: `${texts.sepaDebit} •••• ${sepaDebit?.ibanLast4 ?? ''}`,
    voucher: texts.voucher,
    none: '–',
  }
  return [texts.method, names[type]]
}

function stateOf({ payment, order }: Bought, isPaid: boolean, texts: Language['texts']): Html {
  if (payment.status === 'refunded') return html`<p class="state" role="status">${texts.refunded}</p>`
  if (isPaid) return html`<p class="state" id="state" role="status" data-state="paid">${texts.paid}</p>`
  const isSoon = endsSoon(payment)
  const later = payment.paymentMethod.type === 'voucher' ? texts.voucherWaits : texts.onItsWay
  return html`<p
    class="state"
    id="state"
    role="status"
    data-state="${isSoon ? 'waiting' : 'open'}"
    data-order="${order.id}"
    data-paid="${texts.paid}"
  >
    ${isSoon ? texts.confirming : later}
  </p>`
}

/** A debit takes days and a voucher its buyer: buyers do not wait for these at the page, and nothing turns there. */
function endsSoon({ paymentMethod: { type } }: Payment): boolean {
  return type !== 'sepa_debit' && type !== 'voucher'
}

/** Instructions for a payment whose money has not arrived: the debit to wait for, or the voucher to pay. */
function whatFollows({ paymentMethod: { type, voucher } }: Payment, { texts, tag }: Language): Html {
  if (type === 'sepa_debit') return html`<p id="follows">${texts.debitFollows}</p>`
  if (voucher === null) return html``
  const [before, after] = texts.payUntil.split('{time}')
  return html`<div id="follows">
    <p>${texts.payWithCode}</p>
    <p class="code"><bdi dir="ltr">${voucher.code}</bdi></p>
    <p>${before}<time datetime="${voucher.expiresAt}">${writtenTime(voucher.expiresAt, tag)}</time>${after}</p>
    ${voucher.url !== null && html`<a href="${voucher.url}">${texts.showVoucher}</a>`}
  </div>`
}

/** A point in time with its zone: this server does not know the buyer's, into which the page's script puts it. */
function writtenTime(time: string, tag: string): string {
  const format = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  return format.format(new Date(time))
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
