import { statfs } from 'node:fs/promises'
import { webhookBacklog } from './events/index.ts'
import { unsettledPayments } from './payments/index.ts'
import { unsettledPostAuthorizations } from './post-authorization/index.ts'
import { renewalBacklog } from './renewals/index.ts'
import type { Charging } from './routing/index.ts'
import type { Observation } from './telemetry/index.ts'
import { newestJweKeyMs } from './vault/index.ts'
import { platformVersion } from './version.ts'

/** Observes what waits, the disk, the age of keys, and which processors are left alone. */
export function observePlatform({ services, circuit }: Charging, home: string): void {
  const { db, clock, cluster, telemetry } = services
  const ageOf = (sinceMs: number | null) => (sinceMs === null ? 0 : Math.max(0, clock.now() - sinceMs) / 1_000)

  telemetry.observe(async () => {
    const { pending, firstDueMs } = await webhookBacklog(db)
    return [
      { metric: 'tillwright.webhook.backlog', value: pending },
      { metric: 'tillwright.webhook.oldest_due.age', value: ageOf(firstDueMs) },
    ]
  })
  telemetry.observe(async () => [
    ...unsettled('payment', await unsettledPayments(db)),
    ...unsettled('post_authorization', await unsettledPostAuthorizations(db)),
  ])
  telemetry.observe(async () => {
    const { due, sinceMs } = await renewalBacklog(db, clock.now())
    return [
      { metric: 'tillwright.renewal.backlog', value: due },
      { metric: 'tillwright.renewal.oldest_due.age', value: ageOf(sinceMs) },
    ]
  })
  telemetry.observe(async () => {
    const attributes = { 'tillwright.key.kind': 'card_form' }
    return [{ metric: 'tillwright.key.age', value: ageOf(await newestJweKeyMs(db)), attributes }]
  })
  telemetry.observe(async () => {
    const { bavail, blocks, bsize } = await statfs(home)
    return [
      { metric: 'tillwright.disk.free', value: bavail * bsize },
      { metric: 'tillwright.disk.size', value: blocks * bsize },
    ]
  })
  telemetry.observe(() => {
    const { peers, sinceBeatMs, rejoined, clockOffsetMs } = cluster.snapshot()
    return [
      { metric: 'tillwright.cluster.processes', value: peers.length + 1 },
      { metric: 'tillwright.cluster.beat.age', value: sinceBeatMs / 1_000 },
      { metric: 'tillwright.cluster.rejoins', value: rejoined },
      { metric: 'tillwright.clock.offset', value: clockOffsetMs / 1_000 },
    ]
  })
  const build = {
    'service.version': platformVersion,
    'db.system.name': db.engine === 'postgres' ? 'postgresql' : 'sqlite',
  }
  telemetry.observe(() => [
    { metric: 'tillwright.processor.circuits.open', value: circuit.open().size },
    { metric: 'tillwright.build.info', value: 1, attributes: build },
  ])

  function unsettled(kind: string, { count, sinceMs }: { count: number; sinceMs: number | null }): Observation[] {
    const attributes = { 'tillwright.unsettled.kind': kind }
    return [
      { metric: 'tillwright.unsettled.count', value: count, attributes },
      { metric: 'tillwright.unsettled.oldest.age', value: ageOf(sinceMs), attributes },
    ]
  }
}
