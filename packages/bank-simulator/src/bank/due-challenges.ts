import { findDue, type AcsTransaction } from './authentications.ts'
import { lapsed } from './challenge.ts'
import { moveChallenge, type Delivery } from './results.ts'
import type { Statement } from '../dependencies.ts'

/** Interval between checks for due authentications. */
const LOOK_EVERY_MS = 1_000
/** Interval between checks for expired authentications. */
const FORGET_EVERY_MS = 60_000

/**
 * Starts the issuer's background worker. It times out challenges, answers in the bank's app, sends late results, and
 * resends those that were not accepted.
 *
 * @returns Stops the worker, and resolves once it has stopped.
 */
export function startChallenges(runner: Delivery): () => Promise<void> {
  const { clock, log } = runner
  const stopping = new AbortController()
  const done = run()
  return () => {
    stopping.abort()
    return done
  }

  async function run(): Promise<void> {
    for (let forgetAtMs = clock.now() + FORGET_EVERY_MS; !stopping.signal.aborted;) {
      const isTime = clock.now() >= forgetAtMs
      if (isTime) forgetAtMs = clock.now() + FORGET_EVERY_MS
      await look(runner, isTime).catch((error: unknown) => {
        log.error({ err: error }, 'challenges could not be looked for; trying again')
      })
      await clock.until(clock.now() + LOOK_EVERY_MS, stopping.signal)
    }
  }
}

async function look(runner: Delivery, forgets: boolean): Promise<void> {
  const { db, clock } = runner
  for (const transaction of await findDue(clock.now(), db)) await runOne(transaction, runner)
  if (forgets) await db.write([forgetTransactions(clock.now())])
}

/** A failure of one authentication is logged, so that it does not hold up the others. */
async function runOne({ acsTransactionId }: AcsTransaction, runner: Delivery): Promise<void> {
  try {
    await moveChallenge(acsTransactionId, { step: lapsed }, runner)
  } catch (error) {
    runner.log.error({ err: error, acsTransactionId }, 'a challenge could not be moved; trying again')
  }
}

/** How long an authentication is kept once nothing is due any more. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** Deletes authentications that the issuer no longer needs. Their outcome remains in the 3DS session. */
function forgetTransactions(nowMs: number): Statement {
  return {
    sql: 'DELETE FROM acs_transactions WHERE created_at <= ? AND due_at IS NULL',
    params: [nowMs - REMEMBERED_MS],
  }
}
