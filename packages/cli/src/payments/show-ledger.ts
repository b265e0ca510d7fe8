import type { PaymentLedger } from '@tillwright/platform'
import { table } from '../terminal/align.ts'

/** A payment's ledger, with the sum that has to be zero. */
export function showLedger({ payment, lines }: PaymentLedger): string {
  if (lines.length === 0) return `Nothing was booked of the payment ${payment.id}: it is ${payment.status}.\n`
  const rows = lines.map(({ createdAt, entry, booking, ledgerAccount, amount, currency }) => [
    createdAt,
    entry,
    booking,
    ledgerAccount,
    String(amount),
    currency,
  ])
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const total = ['', '', '', 'sum', String(sum), payment.currency]
  return table(['at', 'entry', 'booking', 'account', 'amount', 'currency'], [...rows, total])
}
