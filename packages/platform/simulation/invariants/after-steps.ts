import type { Charge } from '../world/bank.ts'
import type { Site } from '../world/platforms.ts'
import type { Fleet } from '../world/fleet.ts'
import { proofs } from './authentication.ts'
import { schemaWatch } from './upgrade.ts'

/**
 * Returns a check of the invariants that hold at every moment. Call it after each step that committed or charged
 * something.
 */
export function inspector(site: Site, living: Fleet['living']): () => void {
  const { world, server, bank } = site
  let seenMoves = -1
  let seenCharges = -1
  let seenChanges = 0
  const wrongProofs = proofs(site)
  const wrongSchema = schemaWatch(site, living)
  return () => {
    if (server.moves !== seenMoves) {
      seenMoves = server.moves
      for (const [name, sql] of Object.entries(never)) {
        const [row] = server.rows(sql, [])
        if (row !== undefined) world.fail(`${name}: ${JSON.stringify(row)}`)
      }
    }
    if (bank.version() !== seenCharges) {
      seenCharges = bank.version()
      for (const problem of [...wrongCharges(bank.charges, site), ...wrongProofs(bank.charges)]) world.fail(problem)
    }
    if (server.schemaChanges !== seenChanges) {
      seenChanges = server.schemaChanges
      for (const problem of wrongSchema()) world.fail(problem)
    }
  }
}

/** Queries for rows that must never exist, by the name of the invariant. */
const never: Readonly<Record<string, string>> = {
  'money: more is captured than was authorised, or more refunded than captured': `SELECT id, amount, captured_amount, refunded_amount
    FROM payments WHERE captured_amount > amount OR refunded_amount > captured_amount`,
  'money: a ledger does not sum to zero': `SELECT payment_id, sum(amount) AS total FROM ledger_entries
    GROUP BY account_id, payment_id HAVING sum(amount) <> 0`,
  'money: a ledger does not agree with its payment': `SELECT p.id, p.captured_amount, p.refunded_amount, sum(l.amount) AS held
    FROM payments p JOIN ledger_entries l ON l.account_id = p.account_id AND l.payment_id = p.id
    WHERE l.ledger_account IN ('processor', 'disputes', 'losses') GROUP BY p.account_id, p.id HAVING sum(l.amount) <> p.captured_amount - p.refunded_amount`,
  'attempts: two of a payment are open or successful': `SELECT payment_id, count(*) AS n FROM payment_attempts
    WHERE status NOT IN ('declined', 'failed') GROUP BY account_id, payment_id HAVING count(*) > 1`,
  'idempotency: two payments were begun under one key': `SELECT idempotency_key, count(*) AS n FROM payments
    WHERE idempotency_key IS NOT NULL GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  'promotions: used more often than they may be': `SELECT id, usage_count, usage_reserved, usage_limit FROM promotions
    WHERE usage_limit IS NOT NULL AND usage_count + usage_reserved > usage_limit`,
}

/** One charge for one key: at most one attempt of a payment holds money at the banks. */
function wrongCharges(charges: ReadonlyMap<string, Charge>, { server }: Site): string[] {
  const holding = [...charges.values()].filter(({ authorised, isVoided }) => authorised > 0 && !isVoided)
  const paymentOf = new Map<string, string>()
  const problems: string[] = []
  for (const { attemptId, captured, refunded, amount } of holding) {
    if (captured > amount || refunded > captured)
      problems.push(`money: the bank holds ${captured} of ${amount} for ${attemptId}, and has given ${refunded} back`)
    const [row] = server.rows('SELECT payment_id FROM payment_attempts WHERE id = ?', [attemptId])
    const paymentId = row?.['payment_id']
    if (typeof paymentId !== 'string')
      problems.push(`money: the bank was asked for ${attemptId}, which is on no record`)
    else if (paymentOf.has(paymentId))
      problems.push(`money: ${paymentId} is charged twice, by ${paymentOf.get(paymentId)} and ${attemptId}`)
    else paymentOf.set(paymentId, attemptId)
  }
  return problems
}
