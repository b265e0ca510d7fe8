import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../request-context.ts'
import type { Clock } from '../runtime/index.ts'
import { claimDeliveries, giveBackClaims, nextDueMs } from './claim-deliveries.ts'
import { backoff } from './delivery-outcomes.ts'
import { deliveryTries, HELD_MAX } from './delivery-runner.ts'
import type { Deliver } from './egress.ts'

/** Delivers webhooks until it is stopped. Any number of them, in any number of processes, share one database's work. */
export interface WebhookWorker {
  /** Signals that there may be new deliveries. Call after a commit, as often as you like. */
  wake(): void
  /** Lets the tries under way finish, within limits, and gives back what else was claimed. */
  stop(): Promise<void>
}

/** Options of a worker. `graceMs`: how long running attempts may take after a stop, 5 s by default. */
export interface WorkerOptions {
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment' | 'log' | 'cluster' | 'telemetry'>
  deliver: Deliver
  graceMs?: number
}

/** How many deliveries are claimed in one go. */
const CLAIMS_MAX = 128
/** How long what another process has emitted may go unnoticed. */
const POLL_MS = 1_000
/** Between two looks, so that a wake-up for every request costs at most a hundred looks a second. Not platform time. */
const REST_MS = 10
const GRACE_MS = 5_000

/** Starts a worker. */
export function startWebhookWorker({ services, deliver, graceMs = GRACE_MS }: WorkerOptions): WebhookWorker {
  const { db, clock, log, cluster } = services
  const stopping = new AbortController()
  const retries = backoff('webhooks', log, stopping.signal)
  const wakeup = createWakeup(clock)
  /** Whether the last look had to leave out deliveries that may be due. */
  let crowded = false
  /** The endpoint that had the last turn. */
  let after = ''
  const tries = deliveryTries(services, {
    deliver,
    backoff: retries,
    signal: stopping.signal,
    caughtUp: () => {
      if (crowded) wakeup.ring()
    },
  })

  /** Claims what is due and begins with it. Returns when to look again. */
  async function look(): Promise<number> {
    const nowMs = clock.now()
    if (!cluster.mayLead()) return nowMs + POLL_MS
    const { endpoints: except, accounts: exceptAccounts } = tries.full()
    const limit = Math.min(CLAIMS_MAX, HELD_MAX - tries.held())
    crowded = except.length > 0 || exceptAccounts.length > 0 || limit === 0
    if (limit === 0) return nowMs + POLL_MS
    const { id: holder } = cluster.self
    const claiming = { nowMs, limit, except, exceptAccounts, after, holder }
    const claims = await claimDeliveries(db, claiming).catch((error: unknown) => {
      // They may have been claimed all the same.
      cluster.giveBack([giveBackClaims(holder, nowMs, nowMs)])
      throw error
    })
    after = claims.at(-1)?.endpointId ?? after
    tries.add(claims)
    cluster.finished('webhooks')
    const nextMs = claims.length > 0 ? nowMs : await nextDueMs(db, nowMs)
    retries.over() // not before: what leads nowhere has not asked the database
    return Math.min(nextMs ?? Infinity, nowMs + POLL_MS)
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const nextMs = await look()
        if (nextMs <= clock.now()) continue
        await delay(REST_MS)
        await wakeup.sleepUntil(nextMs)
      } catch (error) {
        await retries.failed(error)
      }
    }
  }

  const working = work()
  return {
    wake: () => wakeup.ring(),
    async stop() {
      stopping.abort()
      wakeup.ring()
      await working
      await tries.finish(graceMs)
    },
  }
}

/** A sleep that can be interrupted. */
export interface Wakeup {
  /** Ends the sleep, or the next one if there is none. Costs next to nothing, however often it is called. */
  ring(): void
  /** Resolves when the time has come or it has rung since the last sleep ended. One sleeper at a time. */
  sleepUntil(timeMs: number): Promise<void>
}

/** A wakeup that has not rung. */
function createWakeup(clock: Clock): Wakeup {
  let rung = false
  let sleep: AbortController | null = null
  return {
    ring() {
      rung = true
      sleep?.abort('woken') // without a reason an error would be made each time, with its stack
    },
    async sleepUntil(timeMs) {
      if (!rung) {
        sleep = new AbortController()
        await clock.until(timeMs, sleep.signal)
        sleep = null
      }
      rung = false
    },
  }
}
