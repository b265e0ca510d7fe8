import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from './config.ts'
import { FINISH_MS, type Health, type Listening } from './http/index.ts'
import type { Rings } from './platform-keys.ts'
import type { Services } from './request-context.ts'

/** Parts of a running platform that `stopInOrder` stops. */
export interface RunningParts {
  health: Health
  origins: readonly Listening[]
  /** Work that goes on behind answers that were given. */
  unfinished: ReadonlySet<Promise<unknown>>
  stopThreeds: () => Promise<void>
  /** Stop workers, listeners and logs behind the origins. */
  behind: readonly (() => Promise<unknown>)[]
  stopping: AbortController
  services: Services
  keys: Pick<Rings, 'close'>
}

/**
 * Not ready at once, but still taking requests, until balancers have noticed. Then what was begun is finished:
 * requests, work in the background, and last the database. Work that is not finished in time is free for other
 * processes.
 */
export async function stopInOrder(
  { health, origins, unfinished, stopThreeds, behind, stopping, services, keys }: RunningParts,
  { drainMs }: Pick<Config, 'drainMs'>,
): Promise<void> {
  health.stop()
  for (const origin of origins) origin.drain()
  if (drainMs > 0) await delay(drainMs)
  stopping.abort()
  const tooLate = delay(FINISH_MS, undefined, { ref: false })
  await Promise.all([...origins.map((origin) => origin.stop()), stopThreeds()])
  await unlessSilent(services, async () => {
    await untilFinished(unfinished, tooLate)
    await Promise.all(behind.map((end) => end()))
    await services.cluster.leave()
    await keys.close()
  })
  await services.db.close()
  await services.telemetry.stop()
  services.log.info('platform stopped')
}

async function untilFinished(unfinished: ReadonlySet<Promise<unknown>>, tooLate: Promise<void>): Promise<void> {
  let isLate = false
  void tooLate.then(() => (isLate = true))
  while (unfinished.size > 0 && !isLate) await Promise.race([Promise.allSettled(unfinished), tooLate])
}

/** After so long without an answer to a beat, a stop waits for the database no more. */
const SILENT_MS = 10_000

/** Does what a stop owes the database, unless that is silent: then the others find out that this process has gone. */
async function unlessSilent({ cluster, log }: Services, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  const silence = async () => {
    while (!signal.aborted && cluster.snapshot().sinceBeatMs < SILENT_MS) {
      await delay(200, undefined, { signal }).catch(() => {})
    }
    if (!signal.aborted) log.warn('the database does not answer; the platform stops without taking leave of it')
  }
  await Promise.race([work(), silence()]).finally(() => ended.abort())
}
