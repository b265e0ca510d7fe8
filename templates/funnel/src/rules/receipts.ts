import type { Receipt, Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** The total paid; `null` if the receipts have different currencies. */
export function totalOf(receipts: readonly Receipt[]): { amount: number; currency: string } | null {
  const currency = receipts[0]?.order.currency
  if (currency === undefined || receipts.some(({ order }) => order.currency !== currency)) return null
  return { amount: receipts.reduce((sum, { order }) => sum + order.amount, 0), currency }
}

/** Where the orders stand: paid only when all of them are. */
export function statusText(receipts: readonly Receipt[]): Translation {
  const statuses = receipts.map(({ order }) => order.status)
  if (statuses.every((status) => status === 'refunded')) return texts.refunded
  return statuses.every((status) => status === 'paid' || status === 'refunded') ? texts.isPaid : texts.isPending
}
