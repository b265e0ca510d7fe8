import { startKeyUses, type KeyUses } from './accounts/key-uses.ts'
import { seededRandomness, systemRandomness, type Randomness } from './ambient/randomness.ts'
import type { Config } from './config.ts'
import type { Deliver } from './events/egress.ts'
import { startWebhookWorker } from './events/webhook-worker.ts'
import { replyAnswer } from './http/reply-answer.ts'
import { startSweeper } from './http/sweeper.ts'
import type { Charging } from './payments/routing/charging.ts'
import { startWaitingPayments } from './payments/end-waiting-payments.ts'
import { openSimulatedDisputes } from './payments/disputes/simulated-disputes.ts'
import { recoverFollowUps } from './payments/follow-ups/recover-follow-ups.ts'
import { startPaymentRecovery, type Recovery } from './payments/recover-payments.ts'
import type { Simulator } from './simulator.ts'
import { startRenewals } from './payments/subscriptions/renew-subscriptions.ts'
import { toSessionPayment } from './sessions/session-payment.ts'
import type { Blobs } from './storage/blobs/blobs.ts'

/** What goes on behind the requests: webhooks, payments without an outcome, rows whose time is over, uses of keys. */
export interface Workers {
  /** Says that there may be webhooks to deliver. */
  wake: () => void
  noteKeyUse: KeyUses['note']
  stop: () => Promise<void>
}

/** Starts all workers of a platform. */
export function startWorkers(
  charging: Charging,
  config: Config,
  {
    docsUrl,
    deliver,
    blobs,
    simulator,
  }: { docsUrl: string; deliver: Deliver; blobs: Blobs; simulator: Simulator | null },
): Workers {
  const { parts } = charging
  const recovering = { ...parts, randomness: randomnessFor('recovery', config) }
  const recovery: Recovery = {
    ...charging,
    parts: recovering,
    answer: (reply) => replyAnswer(reply, { parts: recovering, docsUrl }),
    answerPage: (reply) => replyAnswer(reply, { parts: recovering, docsUrl, shown: toSessionPayment }),
  }
  const stopRecovery = startPaymentRecovery({
    ...recovery,
    async alongside(before) {
      await recoverFollowUps(before, recovery)
      if (simulator !== null) await openSimulatedDisputes(simulator, recovering)
    },
  })
  const webhooks = startWebhookWorker({
    parts: { ...parts, randomness: randomnessFor('webhooks', config) },
    deliver,
  })
  const stopWaiting = startWaitingPayments({ ...parts, randomness: randomnessFor('waiting', config) })
  const renewing = { ...parts, randomness: randomnessFor('renewals', config) }
  const stopRenewals = startRenewals({ ...charging, parts: renewing })
  const stopSweeper = startSweeper({ ...parts, randomness: randomnessFor('sweeping', config) }, blobs)
  const keyUses = startKeyUses(parts)
  return {
    wake: webhooks.wake,
    noteKeyUse: keyUses.note,
    stop: async () => {
      await Promise.all([webhooks.stop(), stopRecovery(), stopWaiting(), stopRenewals(), stopSweeper(), keyUses.stop()])
    },
  }
}

/** Workers draw from streams of their own: when they do is not the same in two runs, and would change what requests draw. */
export function randomnessFor(
  drawer: 'requests' | 'recovery' | 'renewals' | 'sweeping' | 'waiting' | 'webhooks',
  { seed }: Config,
): Randomness {
  return seed === undefined ? systemRandomness() : seededRandomness(`${seed} ${drawer}`)
}
