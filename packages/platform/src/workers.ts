import { type KeyUses, startKeyUses } from './accounts/index.ts'
import { startSealing } from './audit/index.ts'
import type { Config } from './config.ts'
import { openSimulatedDisputes } from './disputes/index.ts'
import { hearSimulated } from './processor-events/index.ts'
import { announceAudit, type Deliver, egressThread, releaseDeliveries, startWebhookWorker } from './events/index.ts'
import { replyAnswer, startSweeper } from './http/index.ts'
import { type Recovery, startPaymentRecovery, startWaitingPayments } from './payments/index.ts'
import { startErasing } from './privacy/index.ts'
import { startPostAuthorizationRecovery } from './post-authorization/index.ts'
import { releaseRenewals, startRenewals } from './renewals/index.ts'
import type { Charging } from './routing/index.ts'
import { failuresOf, type Randomness, seededRandomness, startWorker, systemRandomness } from './runtime/index.ts'
import { startFolding } from './statistics/index.ts'
import { toSessionPayment } from './sessions/index.ts'
import type { Simulator } from './simulator.ts'
import type { Services } from './request-context.ts'
import type { Blobs, PersonalTable } from './storage/index.ts'
import { releaseSessions } from './threeds/index.ts'

/** Background workers: webhooks, payments without an outcome, expired rows, key usage. */
export interface Workers {
  /** Signals that there may be webhooks to deliver. */
  wake: () => void
  noteKeyUse: KeyUses['note']
  stop: () => Promise<void>
}

/** The only worker of a process without the role `worker`: the counter of key uses. */
export function withoutWorkers(services: Services): Workers {
  const keyUses = startKeyUses(services)
  return { wake: () => {}, noteKeyUse: keyUses.note, stop: keyUses.stop }
}

interface WorkerParts {
  apiUrl: string
  docsUrl: string
  blobs: Blobs
  personal: readonly PersonalTable[]
  simulator: Simulator | null
  /** The way out for webhooks; a thread of its own unless given. */
  deliver: Deliver | undefined
}

/** Starts all workers of a platform. */
export function startWorkers(
  charging: Charging,
  config: Config,
  { apiUrl, docsUrl, blobs, simulator, personal, deliver }: WorkerParts,
): Workers {
  const { services } = charging
  const stopRecovery = startRecovering(charging, config, { docsUrl, simulator })
  const wayOut =
    deliver === undefined ? egressThread(config.environment, services.log) : { deliver, close: async () => {} }
  const webhooks = startWebhookWorker({
    services: { ...services, randomness: randomnessFor('webhooks', config) },
    deliver: wayOut.deliver,
  })
  const stopWaiting = startWaitingPayments({ ...services, randomness: randomnessFor('waiting', config) })
  const renewing = { ...services, randomness: randomnessFor('renewals', config) }
  const stopRenewals = startRenewals({ ...charging, services: renewing, apiUrl })
  const stopKeeping = startKeeping(services, config, { blobs, personal, wake: webhooks.wake })
  const keyUses = startKeyUses(services)
  const stopReleasing = startReleasing(services, webhooks.wake)
  return {
    wake: webhooks.wake,
    noteKeyUse: keyUses.note,
    stop: async () => {
      await Promise.all([
        webhooks.stop().then(wayOut.close),
        stopRecovery(),
        stopWaiting(),
        stopRenewals(),
        stopKeeping(),
        keyUses.stop(),
        stopReleasing(),
      ])
    },
  }
}

/** Brings to an end what was left without an outcome, and hears of what simulated processors have to say. */
function startRecovering(
  charging: Charging,
  config: Config,
  { docsUrl, simulator }: { docsUrl: string; simulator: Simulator | null },
): () => Promise<void> {
  const recovering = { ...charging.services, randomness: randomnessFor('recovery', config) }
  const recovery: Recovery = {
    ...charging,
    services: recovering,
    answer: (reply) => replyAnswer(reply, { services: recovering, docsUrl }),
    answerPage: (reply) => replyAnswer(reply, { services: recovering, docsUrl, shown: toSessionPayment }),
  }
  const stopPayments = startPaymentRecovery({
    ...recovery,
    async alongside() {
      if (simulator === null) return
      await hearSimulated(simulator, recovery)
      await openSimulatedDisputes(simulator, recovering)
    },
  })
  const stopPostAuthorizations = startPostAuthorizationRecovery(recovery)
  return async () => void (await Promise.all([stopPayments(), stopPostAuthorizations()]))
}

interface Keeping {
  blobs: Blobs
  personal: readonly PersonalTable[]
  wake: () => void
}

/** Housekeeping workers: seal the audit log, delete expired rows, erase customers, count events. */
function startKeeping(services: Services, config: Config, { blobs, personal, wake }: Keeping): () => Promise<unknown> {
  const stopSealing = startSealing({
    ...services,
    announce: announceAudit({ ...services, randomness: randomnessFor('sealing', config) }),
  })
  const stopSweeper = startSweeper(
    { ...services, randomness: randomnessFor('sweeping', config), retention: config.retention },
    blobs,
  )
  const stopErasing = startErasing({
    ...services,
    randomness: randomnessFor('erasing', config),
    tables: personal,
    wake,
  })
  const stopFolding = startFolding(services)
  return () => Promise.all([stopSealing(), stopSweeper(), stopErasing(), stopFolding()])
}

/** How often work is looked for whose process is gone, besides whenever one dies. */
const RELEASE_EVERY_MS = 30_000

/** Frees what processes held that have died or left, at the start and whenever one does. */
function startReleasing({ db, clock, cluster, log }: Services, wake: () => void): () => Promise<void> {
  return startWorker({
    clock,
    everyMs: RELEASE_EVERY_MS,
    leads: () => cluster.mayLead(),
    onWake: (ring) => cluster.onPeers(ring),
    async look() {
      await db.write([releaseDeliveries(clock.now()), releaseSessions, releaseRenewals])
      wake()
    },
    ...failuresOf(log, { worker: 'releasing', message: 'what dead processes held could not be freed; trying again' }),
  })
}

/** Workers draw from streams of their own: when they do is not the same in two runs, and would change what requests draw. */
export function randomnessFor(
  drawer: 'requests' | 'erasing' | 'keys' | 'recovery' | 'renewals' | 'sealing' | 'sweeping' | 'waiting' | 'webhooks',
  { seed }: Config,
): Randomness {
  return seed === undefined ? systemRandomness() : seededRandomness(`${seed} ${drawer}`)
}
