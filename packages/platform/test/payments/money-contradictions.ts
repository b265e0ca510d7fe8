import type { Order, Payment } from '@tillwright/contract'
import type { LedgerAccount, LedgerLine } from '../../src/ledger/ledger.ts'
import type { Row } from '../../src/storage/database.ts'

/** A payment's money in the four places that record it independently. */
export interface WrittenMoney {
  payment: Payment
  order: Order
  ledger: readonly LedgerLine[]
  /** The processor's own books: what it has captured, refunded and voided. */
  books: Row
}

/** Finds contradictions in the amounts of a payment; empty if there are none. No operation may be pending. */
export function moneyContradictions({ payment, order, ledger, books }: WrittenMoney): string[] {
  const { amount, capturedAmount, refundedAmount, captures, refunds, disputes } = payment
  const balance = (account: LedgerAccount) => sum(ledger.filter(({ ledgerAccount }) => ledgerAccount === account))
  const withheld = sum(disputes.filter(({ kind, status }) => kind === 'chargeback' && status === 'open'))
  const lost = sum(disputes.filter(({ status }) => status === 'lost'))
  const bound = sum(disputes.filter(({ status }) => status !== 'won'))
  const truths: Record<string, boolean> = {
    'the ledger sums to zero': sum(ledger) === 0,
    'the ledger is in the currency of the payment': ledger.every(({ currency }) => currency === payment.currency),
    'there is one capture': captures.filter(succeeded).length <= 1,
    'the capture is what was captured': sum(captures.filter(succeeded)) === capturedAmount,
    'no more is captured than was authorised': capturedAmount <= amount,
    'the refunds are what was refunded': sum(refunds.filter(succeeded)) === refundedAmount,
    'no more is refunded and disputed than was captured': refundedAmount + bound <= capturedAmount,
    'the processor has captured the same': Number(books['captured']) === capturedAmount,
    'the processor has refunded the same': Number(books['refunded']) === refundedAmount,
    'the processor has voided what is canceled': (books['voided'] === 1) === (payment.status === 'canceled'),
    'sales are what was captured': balance('sales') === -capturedAmount,
    'refunds are booked': balance('refunds') === refundedAmount,
    'what is withheld is booked': balance('disputes') === withheld,
    'losses are booked': balance('losses') === lost,
    'the processor holds the rest': balance('processor') === capturedAmount - refundedAmount - withheld - lost,
    'the status follows the money': payment.status === statusOf(payment),
    'the order follows the payment': order.status === orderStatuses[statusOf(payment)],
  }
  return Object.entries(truths).flatMap(([truth, holds]) => (holds ? [] : [truth]))
}

const orderStatuses = {
  authorized: 'pending',
  canceled: 'canceled',
  succeeded: 'paid',
  partially_refunded: 'paid',
  refunded: 'refunded',
} as const

function statusOf({ status, capturedAmount, refundedAmount }: Payment): keyof typeof orderStatuses {
  if (capturedAmount === 0) return status === 'canceled' ? 'canceled' : 'authorized'
  if (refundedAmount === 0) return 'succeeded'
  return refundedAmount === capturedAmount ? 'refunded' : 'partially_refunded'
}

const succeeded = ({ status }: { status: string }) => status === 'succeeded'

function sum(services: readonly { amount: number }[]): number {
  return services.reduce((total, { amount }) => total + amount, 0)
}
