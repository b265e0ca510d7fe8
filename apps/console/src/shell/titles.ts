import type { ListEntry } from '../api/client.ts'
import { money } from '../language/values.ts'
import { text } from './text.ts'

/** What an order is called: its amount, or a card check where nothing was ordered. */
export function orderTitle({ amount, currency, lines }: ListEntry<'orders.list'>): string {
  return amount === 0 && lines.length === 0 ? text('cardCheck') : money(amount, currency)
}

/**
 * What a payment is called: its amount, or a card check where its issuer was asked whether the card is good and nothing was
 * to be paid. An order that costs nothing asks no issuer.
 */
export function paymentTitle(payment: ListEntry<'payments.list'>): string {
  const { amount, currency, attempts, status } = payment
  const isCheck = amount === 0 && (attempts.length > 0 || status !== 'succeeded')
  return isCheck ? text('cardCheck') : money(amount, currency)
}
