import type { Backlog } from './cluster/index.ts'
import type { Config } from './config.ts'
import { webhookBacklog } from './events/index.ts'
import type { BodyBudget } from './http/index.ts'
import { newestKeys, rings } from './keys/index.ts'
import { observeCertificates } from './observe-certificates.ts'
import { diskOf, lastRounds, startWatchingDisk } from './oversight/index.ts'
import { unresolvedPayments } from './payments/index.ts'
import type { Rings } from './platform-keys.ts'
import { unresolvedPostAuthorizations } from './post-authorization/index.ts'
import { renewalBacklog } from './renewals/index.ts'
import type { Services } from './request-context.ts'
import { usesHome } from './roles.ts'
import type { Charging } from './routing/index.ts'
import { lastBackup } from './storage/index.ts'
import type { Observation } from './telemetry/index.ts'
import { newestJweKeyMs } from './vault/index.ts'
import { droppedLogLines } from './platform-log.ts'
import { platformVersion } from './version.ts'

/** Sources of measurements besides the services. */
interface Observed {
  config: Pick<Config, 'home' | 'roles' | 'databaseUrl' | 'blobs' | 'channel' | 'apiUrl' | 'vaultUrl' | 'pluginsUrl'>
  keys: Pick<Rings, 'uses'>
  bodies: Pick<BodyBudget, 'use'>
}

/**
 * Observes what waits, the disk, keys, certificates, backups, bodies, and which processors are left alone.
 *
 * @returns Stops telling other processes of this one's disk.
 */
export function observePlatform(
  { services, circuit }: Charging,
  { config, keys, bodies }: Observed,
): () => Promise<void> {
  const { db, clock, telemetry } = services
  const ageOf = (sinceMs: number | null) => (sinceMs === null ? 0 : Math.max(0, clock.now() - sinceMs) / 1_000)

  telemetry.observe(async () => {
    const { pending, firstDueMs } = await webhookBacklog(db)
    return [
      { metric: 'tillwright.webhook.backlog', value: pending },
      { metric: 'tillwright.webhook.oldest_due.age', value: ageOf(firstDueMs) },
    ]
  })
  telemetry.observe(async () => [
    ...unresolved('payment', await unresolvedPayments(db)),
    ...unresolved('post_authorization', await unresolvedPostAuthorizations(db)),
  ])
  telemetry.observe(async () => {
    const { waiting, sinceMs } = await renewalBacklog(db, clock.now())
    return [
      { metric: 'tillwright.renewal.backlog', value: waiting },
      { metric: 'tillwright.renewal.oldest_due.age', value: ageOf(sinceMs) },
    ]
  })
  observeKeys(services, keys)
  observeCertificates(services, config)
  telemetry.observe(async () => {
    const backup = await lastBackup(db)
    return backup === null ? [] : [{ metric: 'tillwright.backup.age', value: ageOf(backup.takenAtMs) }]
  })
  telemetry.observe(() => bodyUse(bodies.use()))
  observeCluster(services)
  const build = {
    'service.version': platformVersion,
    'db.system.name': db.engine === 'postgres' ? 'postgresql' : 'sqlite',
  }
  telemetry.observe(() => [
    { metric: 'tillwright.processor.circuits.open', value: circuit.open().size },
    { metric: 'tillwright.build.info', value: 1, attributes: build },
    { metric: 'tillwright.log.lines.dropped', value: droppedLogLines() },
  ])

  if (!usesHome(config)) return () => Promise.resolve()
  telemetry.observe(async () => {
    const { freeBytes, sizeBytes } = await diskOf(config.home)
    return [
      { metric: 'tillwright.disk.free', value: freeBytes },
      { metric: 'tillwright.disk.size', value: sizeBytes },
    ]
  })
  return startWatchingDisk(config.home, services)

  function unresolved(kind: string, { waiting, sinceMs }: Backlog): Observation[] {
    const attributes = { 'tillwright.unresolved.kind': kind }
    return [
      { metric: 'tillwright.unresolved.count', value: waiting, attributes },
      { metric: 'tillwright.unresolved.oldest.age', value: ageOf(sinceMs), attributes },
    ]
  }
}

/** Observes who lives, and when each work was last done. */
function observeCluster({ clock, cluster, telemetry }: Services): void {
  telemetry.observe(() => {
    const { peers, sinceBeatMs, rejoined, clockOffsetMs } = cluster.snapshot()
    return [
      { metric: 'tillwright.cluster.processes', value: peers.length + 1 },
      { metric: 'tillwright.cluster.beat.age', value: sinceBeatMs / 1_000 },
      { metric: 'tillwright.cluster.rejoins', value: rejoined },
      { metric: 'tillwright.clock.offset', value: clockOffsetMs / 1_000 },
    ]
  })
  telemetry.observe(() => {
    const { self, peers } = cluster.snapshot()
    return [...lastRounds([self, ...peers])].map(([work, sinceMs]) => ({
      metric: 'tillwright.work.age',
      value: Math.max(0, clock.now() - sinceMs) / 1_000,
      attributes: { 'tillwright.work': work },
    }))
  })
}

/** Observes the ages of keys, and their uses. */
function observeKeys({ db, clock, telemetry }: Services, keys: Observed['keys']): void {
  telemetry.observe(async () => [keyAge('card_form', await newestJweKeyMs(db))])
  for (const ring of rings)
    telemetry.observe(async () => {
      const { dataMs, masterMs } = await newestKeys(ring, db)
      return [keyAge(`${ring}_data`, dataMs), keyAge(`${ring}_master`, masterMs)]
    })
  telemetry.observe(() =>
    keys.uses().map(({ ring, version, purpose, operation, count }) => ({
      metric: 'tillwright.key.uses',
      value: count,
      attributes: {
        'tillwright.key.ring': ring,
        'tillwright.key.version': version,
        'tillwright.key.purpose': purpose,
        'tillwright.key.operation': operation,
      },
    })),
  )

  function keyAge(kind: string, sinceMs: number | null): Observation {
    return {
      metric: 'tillwright.key.age',
      value: sinceMs === null ? 0 : Math.max(0, clock.now() - sinceMs) / 1_000,
      attributes: { 'tillwright.key.kind': kind },
    }
  }
}

function bodyUse({ waiting, refused, ...places }: ReturnType<BodyBudget['use']>): Observation[] {
  return [
    ...Object.entries(places).flatMap(([place, { used, capacity }]): Observation[] => {
      const attributes = { 'tillwright.bodies.place': place }
      return [
        { metric: 'tillwright.http.bodies.used', value: used, attributes },
        { metric: 'tillwright.http.bodies.limit', value: capacity, attributes },
      ]
    }),
    { metric: 'tillwright.http.bodies.waiting', value: waiting },
    ...Object.entries(refused).map(([reason, count]): Observation => ({
      metric: 'tillwright.http.bodies.refused',
      value: count,
      attributes: { 'tillwright.bodies.reason': reason },
    })),
  ]
}
