import type { Payment } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type Database, type RowOf, rowReader } from '../storage/index.ts'
import { ledgerEntriesTable } from './tables.ts'

/**
 * The accounts of the ledger. `processor`: what processors hold for the shop. `sales`: what was sold. `refunds`: what was
 * given back. `disputes`: what is withheld while disputes are open. `losses`: what lost disputes have cost.
 */
export type LedgerAccount = RowOf<typeof ledgerEntriesTable>['ledger_account']

/** Each change of money, with the account it is debited to and the one it is credited to. */
const bookings = {
  captured: { debit: 'processor', credit: 'sales' },
  capture_reversed: { debit: 'sales', credit: 'processor' },
  refunded: { debit: 'refunds', credit: 'processor' },
  refund_reversed: { debit: 'processor', credit: 'refunds' },
  withheld: { debit: 'disputes', credit: 'processor' },
  released: { debit: 'processor', credit: 'disputes' },
  charged_back: { debit: 'losses', credit: 'disputes' },
  taken_back: { debit: 'losses', credit: 'processor' },
  given_back: { debit: 'processor', credit: 'losses' },
} as const satisfies Record<Booking, { debit: LedgerAccount; credit: LedgerAccount }>

/**
 * The name of a change of money. `charged_back` takes what was withheld before, `taken_back` what was not; `given_back`
 * undoes either.
 */
export type Booking = RowOf<typeof ledgerEntriesTable>['booking']

/** An entry to book, and the payment it belongs to. */
export interface NewEntry {
  payment: Pick<Payment, 'id' | 'accountId' | 'currency'>
  /** The id of the capture, refund or dispute. */
  entry: string
  booking: Booking
  /** In minor units, more than 0. */
  amount: number
  /** When the decision on a dispute was made that this one overturns, ISO 8601: each may be booked once. */
  overturns?: string | null
}

/** A stored side of an entry. */
export interface LedgerLine {
  entry: string
  booking: Booking
  ledgerAccount: LedgerAccount
  currency: string
  /** In minor units: a debit is positive, a credit negative. */
  amount: number
  /** ISO 8601. */
  createdAt: string
}

/** Parts an id from what tells its bookings apart. No id has one. */
const BEHIND_ENTRY = '/'

/** Books a change on both accounts at once. Must precede the statements it has to agree with. */
export function book({ payment, entry, booking, amount, overturns = null }: NewEntry, nowMs: number): Write {
  const { debit, credit } = bookings[booking]
  const side = (ledgerAccount: LedgerAccount, signed: number) => [
    payment.accountId,
    payment.id,
    overturns === null ? entry : `${entry}${BEHIND_ENTRY}${overturns}`,
    booking,
    ledgerAccount,
    payment.currency,
    signed,
    nowMs,
  ]
  return {
    sql: `INSERT INTO ledger_entries
        (account_id, payment_id, entry, booking, ledger_account, currency, amount, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [...side(debit, amount), ...side(credit, -amount)],
    onRefused: holds('single_booking', payment.id),
  }
}

/**
 * Guard at the end of a transaction that books entries: the payment's ledger sums to zero in its currency, has no
 * entries in another one, and agrees with the totals in the payment's row, of which no more is captured than was authorized.
 */
export function requireBalance({ id, accountId }: Pick<Payment, 'id' | 'accountId'>): Write {
  return {
    sql: `SELECT id FROM payments WHERE account_id = ? AND id = ? AND captured_amount <= amount AND (
        SELECT CASE WHEN SUM(l.amount) = 0
          AND SUM(CASE WHEN l.ledger_account = 'sales' THEN -l.amount ELSE 0 END) = payments.captured_amount
          AND SUM(CASE WHEN l.ledger_account = 'refunds' THEN l.amount ELSE 0 END) = payments.refunded_amount
          AND SUM(CASE WHEN l.currency = payments.currency THEN 0 ELSE 1 END) = 0 THEN 1 ELSE 0 END
        FROM ledger_entries l WHERE l.account_id = ? AND l.payment_id = ?) = 1`,
    params: [accountId, id, accountId, id],
    expect: 1,
    onRefused: holds('ledger_balanced', id),
  }
}

/** The ledger of a payment, in the order in which it was written. */
export async function readLedger(paymentId: string, accountId: string, db: Database): Promise<LedgerLine[]> {
  const rows = await db.read(
    `SELECT * FROM ledger_entries WHERE account_id = ? AND payment_id = ?
      ORDER BY created_at, entry, booking, amount DESC`,
    [accountId, paymentId],
  )
  return readEntries(rows).map((row) => ({
    entry: row.entry.split(BEHIND_ENTRY)[0] ?? '',
    booking: row.booking,
    ledgerAccount: row.ledger_account,
    currency: row.currency,
    amount: row.amount,
    createdAt: new Date(row.created_at).toISOString(),
  }))
}

const readEntries = rowReader(ledgerEntriesTable)

/** Invariants of every payment, by the names that the log uses. */
const invariants = {
  single_capture: 'a payment has one final capture at most',
  refunds_within_capture: 'refunds are at most what was captured',
  reservation_kept: 'what is set aside for refunds and disputes covers them',
  single_booking: 'a change is booked once',
  ledger_balanced:
    'a ledger sums to zero, agrees with what was captured and refunded, and has no more captured than was authorised',
} as const

/** The name of an invariant. */
export type MoneyInvariant = keyof typeof invariants

/** A change of a payment was refused because it would have broken an invariant: the platform has a fault. */
export class MoneyInvariantBroken extends Error {
  override readonly name = 'MoneyInvariantBroken'
}

/**
 * The error of a refused guard: the caller gets a 500, the log the name of the invariant, and the database is
 * unchanged.
 */
export function holds(invariant: MoneyInvariant, paymentId: string): () => ApiError {
  return () =>
    new ApiError('internal', 'Internal error; it is logged under the request id.', {
      cause: new MoneyInvariantBroken(
        `The invariant ${invariant} would be broken (${invariants[invariant]}): the payment ${paymentId} stays as it is.`,
      ),
    })
}
