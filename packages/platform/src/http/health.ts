import { CLOCK_OFF_MS, hasWrongClock } from '../cluster/index.ts'
import type { Services } from '../request-context.ts'
import type { App } from './operations/index.ts'

/** How long a readiness probe waits for the database: probes give up after a second or two themselves. */
const ANSWERS_WITHIN_MS = 1_500
/** A beat that was confirmed so recently shows that the database takes writes: a probe asks for another after that. */
const BEAT_FRESH_MS = 2_000
/**
 * A beat that has had no answer for so long will have none: every step of a connection has a deadline of seconds, so that
 * something in this process is stuck, which a restart mends. A database that is away refuses, and is no such case.
 */
const STUCK_MS = 120_000

/** Findings of the readiness check: each says what is wrong with its subject, or is `null`. */
interface Findings {
  stopping: 'stopping' | null
  reads: 'does not answer' | 'refuses' | null
  writes: 'does not answer' | 'refuses' | null
  member: 'the other processes do not count on this one' | null
  clock: 'this machine differs from the database' | 'ahead of the other processes' | null
}

/** Whether a process lives, can serve, and has started: three questions with three consequences. */
export interface Health {
  /** From here on it is not ready, because it is about to stop. */
  stop(): void
  /** Adds the probes to an origin. */
  route(app: App): void
}

/**
 * The probes of a process.
 *
 * - `/livez`, and `/healthz`: whether it should go on. Fails only for what a restart mends.
 * - `/readyz`: whether it should be sent requests now.
 * - `/startupz`: whether it has started.
 *
 * The answers are readable at the public origins: they name neither host nor process nor version. Logs and metrics do.
 */
export function healthOf({ db, cluster, log }: Pick<Services, 'db' | 'cluster' | 'log'>): Health {
  let isStopping = false
  let looking: Promise<Findings> | null = null
  let lastFailures = ''

  async function look(): Promise<Findings> {
    const isFresh = cluster.snapshot().sinceBeatMs < BEAT_FRESH_MS
    const [reads, writes] = await Promise.all([
      answers(() => db.read('SELECT 1 AS one', [])),
      isFresh ? null : answers(() => cluster.beat()),
    ])
    const isMember = writes !== null || cluster.isMember()
    const member = isMember ? null : 'the other processes do not count on this one'
    return { stopping: isStopping ? 'stopping' : null, reads, writes, member, clock: clockOf(cluster) }
  }

  function tell(failures: string): void {
    if (failures === lastFailures) return
    lastFailures = failures
    if (failures === '') log.info('ready again')
    else log.warn({ failures }, 'not ready')
  }

  return {
    stop: () => void (isStopping = true),
    route(app) {
      const alive = { status: 'ok' }
      for (const path of ['/healthz', '/livez'])
        app.get(path, (c) => {
          const isStuck = cluster.snapshot().unansweredMs > STUCK_MS
          return isStuck
            ? c.json({ ...alive, status: 'stuck: the database has not answered for minutes' }, 503)
            : c.json(alive)
        })
      app.get('/startupz', (c) => c.json({ ...alive, status: 'started' }))
      app.get('/readyz', async (c) => {
        // Many probes at once cost one look.
        looking ??= look().finally(() => (looking = null))
        const findings = await looking
        const failed = Object.entries(findings).filter(([, wrong]) => wrong !== null)
        tell(failed.map(([name, wrong]) => `${name}: ${wrong}`).join(', '))
        if (failed.length === 0) return c.json({ status: 'ready' })
        return c.json({ status: statusOf(findings), failed: Object.fromEntries(failed) }, 503)
      })
    },
  }
}

function statusOf({ stopping, reads, writes }: Findings): string {
  if (stopping !== null) return stopping
  if (reads !== null) return `the database ${reads}`
  return writes === null ? 'not ready' : `the database ${writes === 'refuses' ? 'takes no writes' : writes}`
}

async function answers(ask: () => Promise<unknown>): Promise<'does not answer' | 'refuses' | null> {
  const answered = Promise.withResolvers<'does not answer'>()
  const tooLate = setTimeout(() => answered.resolve('does not answer'), ANSWERS_WITHIN_MS)
  const asked = ask().then(
    () => null,
    () => 'refuses' as const,
  )
  const outcome = await Promise.race([asked, answered.promise])
  clearTimeout(tooLate)
  return outcome
}

/** A machine whose clock is off still follows the shared time, but is not the one to choose as long as there is another. */
function clockOf(cluster: Services['cluster']): Findings['clock'] {
  const { self, clockOffsetMs, clockLagMs, peers } = cluster.snapshot()
  if (clockLagMs > CLOCK_OFF_MS) return 'ahead of the other processes'
  return hasWrongClock({ roles: self.roles, clockOffsetMs }, peers) ? 'this machine differs from the database' : null
}
