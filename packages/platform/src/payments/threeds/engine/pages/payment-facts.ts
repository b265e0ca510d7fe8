import { currencyOfNumber } from '@tillwright/contract'
import { textOf } from '@tillwright/emv-3ds'
import type { AcsTransaction } from '../acs-transaction.ts'
import { html, type Html } from './html.ts'

/** The head of a page of the bank: its name, and the network of the card. */
export function bankHeader({ brand }: Pick<AcsTransaction, 'brand'>): Html {
  return html`<header><strong>Test bank</strong> <span>${networkNames.get(brand) ?? brand}</span></header>`
}

/** What the buyer confirms: to whom, how much, with which card. */
export function paymentFacts({ areq, last4 }: Pick<AcsTransaction, 'areq' | 'last4'>): Html {
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
