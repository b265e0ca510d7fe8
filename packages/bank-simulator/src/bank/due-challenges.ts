import { findDue, type AcsTransaction } from './authentications.ts'
import { lapsed } from './challenge.ts'
import { moveChallenge, type Delivery } from './results.ts'
import type { Statement } from '../dependencies.ts'

/** How often authentications are looked for with which something is due. */
const LOOK_EVERY_MS = 1_000
/** How often authentications are looked for that can be forgotten. */
const FORGET_EVERY_MS = 60_000

/**
 * Does what happens at the simulated issuer by itself: ends challenges that took too long, answers in the bank's app,
 * sends late results, and again those that were not taken.
 *
 * @returns Stops the worker; resolves when it has.
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

/** One that cannot be moved now must not hold up the others. */
async function runOne({ acsTransactionId }: AcsTransaction, runner: Delivery): Promise<void> {
  try {
    await moveChallenge(acsTransactionId, { step: lapsed }, runner)
  } catch (error) {
    runner.log.error({ err: error, acsTransactionId }, 'a challenge could not be moved; trying again')
  }
}

/** How long the simulated issuer remembers an authentication in which nothing is due any more. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** Forgets what the simulated issuer needs no more; what came of it stands in the session, which stays. */
function forgetTransactions(nowMs: number): Statement {
  return {
    sql: 'DELETE FROM acs_transactions WHERE created_at <= ? AND due_at IS NULL',
    params: [nowMs - REMEMBERED_MS],
  }
}
