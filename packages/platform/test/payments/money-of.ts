import { contract, type Payment } from '@tillwright/contract'
import { type LedgerAccount, readLedger } from '../../src/ledger/ledger.ts'
import type { TestPlatform } from '../test-platform.ts'

/** Balances of a payment's ledger accounts, in minor units, without those that are zero. */
export async function balancesOf(paymentId: string, { services, local }: TestPlatform) {
  const balances: Partial<Record<LedgerAccount, number>> = {}
  for (const { ledgerAccount, amount } of await readLedger(paymentId, local.accountId, services.db)) {
    balances[ledgerAccount] = (balances[ledgerAccount] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0))
}

/** The simulated processor's own books for a payment. */
export async function booksOf({ attempts }: Payment, { services }: TestPlatform) {
  const [row] = await services.db.read(
    `SELECT captured, refunded, CASE WHEN closed = 1 AND captured = 0 THEN 1 ELSE 0 END AS voided
      FROM simulator_charges WHERE attempt_id = ?`,
    [attempts.at(-1)?.id ?? ''],
  )
  return row
}

/** The types of the events that were told of a payment, in the order of the alphabet. */
export async function eventsOf({ id }: Pick<Payment, 'id'>, { services, local }: TestPlatform): Promise<string[]> {
  const rows = await services.db.read('SELECT event_type, properties FROM events WHERE account_id = ? ORDER BY id', [
    local.accountId,
  ])
  return rows
    .filter((row) => String(row['properties']).includes(id))
    .map((row) => String(row['event_type']))
    .toSorted()
}

/** What was sold and given back in a currency by all payments of the shop, by its ledger and by its statistics. */
export async function shopsMoney(currency: string, { services, local, call, clock }: TestPlatform) {
  const rows = await services.db.read(
    'SELECT ledger_account, amount FROM ledger_entries WHERE account_id = ? AND currency = ?',
    [local.accountId, currency],
  )
  const booked = (account: LedgerAccount) =>
    rows.reduce((sum, row) => (row['ledger_account'] === account ? sum + Number(row['amount']) : sum), 0)
  const from = new Date(clock.now() - 700 * 24 * 60 * 60 * 1_000).toISOString()
  const { currencies } = await call(contract.statistics.get, { query: { interval: 'day', from } })
  const counted = currencies.find((each) => each.currency === currency)
  const sumOf = (series: readonly number[] = []) => series.reduce((sum, one) => sum + one, 0)
  return {
    ledger: { sold: -booked('sales'), givenBack: booked('refunds') },
    statistics: { sold: sumOf(counted?.volume), givenBack: sumOf(counted?.refundedVolume) },
  }
}
