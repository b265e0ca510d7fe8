import { startWorker } from '../../../ambient/start-worker.ts'
import { findDue, type AcsTransaction } from './acs-transaction.ts'
import { lapsed } from './challenge-steps.ts'
import type { Delivery } from './deliver-result.ts'
import { moveChallenge } from './move-challenge.ts'

/** How often authentications are looked for with which something is due. */
const LOOK_EVERY_MS = 1_000

/**
 * Does what happens at the simulated issuer by itself: ends challenges that took too long, answers in the bank's app,
 * sends late results, and again those that were not taken.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startChallenges(runner: Delivery): () => Promise<void> {
  const { clock, db, log } = runner.parts
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    async look() {
      for (const transaction of await findDue(clock.now(), db)) await runOne(transaction, runner)
    },
    onError: (error) => log.error({ err: error }, 'challenges could not be looked for; trying again'),
  })
}

/** One that cannot be moved now must not hold up the others. */
async function runOne({ acsTransactionId }: AcsTransaction, runner: Delivery): Promise<void> {
  try {
    await moveChallenge(acsTransactionId, { step: lapsed }, runner)
  } catch (error) {
    runner.parts.log.error({ err: error, acsTransactionId }, 'a challenge could not be moved; trying again')
  }
}
