import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { sharedPlatform, startTestPlatform, testableEngines } from '../../test/test-platform.ts'
import type { Cluster, ClusterSnapshot } from '../cluster/index.ts'
import { DatabaseUnavailable } from '../storage/index.ts'
import type { App } from './operations/api-app.ts'
import { type Health, healthOf } from './health.ts'

const platform = sharedPlatform()
const unavailable = () => Promise.reject(new DatabaseUnavailable('cannot execute UPDATE in a read-only transaction'))
const never = () => new Promise<never>(() => {})

interface Fault {
  read?: () => Promise<never>
  beat?: () => Promise<void>
  snapshot?: Partial<ClusterSnapshot>
}

/** The probes of a process with a fault. */
function probes({ read, beat, snapshot }: Fault): { health: Health; ask: (path: string) => Promise<unknown[]> } {
  const { db, cluster, log } = platform().services
  const faulty: Cluster = {
    self: cluster.self,
    peers: () => cluster.peers(),
    isAlive: (id) => cluster.isAlive(id),
    isMember: () => snapshot?.isMember ?? true,
    mayLead: () => true,
    certain: () => cluster.certain(),
    onPeers: (listener) => cluster.onPeers(listener),
    beat: beat ?? (async () => {}),
    snapshot: () => ({ ...cluster.snapshot(), sinceBeatMs: beat ? 60_000 : 0, ...snapshot }),
    tellCircuits: () => {},
    peerCircuits: () => [],
    giveBack: () => {},
    finished: () => {},
    tookOver: () => {},
    sawDisk: () => {},
    leave: async () => {},
  }
  const health = healthOf({ db: { ...db, ...(read && { read }) }, cluster: faulty, log })
  const app: App = new Hono()
  health.route(app)
  const ask = async (path: string) => {
    const response = await app.request(path)
    const { status, failed }: { status: string; failed?: object } = await response.json()
    return failed === undefined ? [response.status, status] : [response.status, status, failed]
  }
  return { health, ask }
}

test.for<[string, Fault, string, object]>([
  ['a standby that takes no writes', { beat: unavailable }, 'the database takes no writes', { writes: 'refuses' }],
  [
    'a database that never answers',
    { read: never, beat: never },
    'the database does not answer',
    { reads: 'does not answer', writes: 'does not answer' },
  ],
  [
    'a database that is away',
    { read: unavailable, beat: unavailable },
    'the database refuses',
    { reads: 'refuses', writes: 'refuses' },
  ],
  [
    'a process that the others do not count on',
    { snapshot: { isMember: false } },
    'not ready',
    { member: 'the other processes do not count on this one' },
  ],
  [
    'a process ahead of the time that all share',
    { snapshot: { clockLagMs: 60_000 } },
    'not ready',
    { clock: 'ahead of the other processes' },
  ],
])('%s makes it not ready, and no restart mends that', async ([, fault, status, failed]) => {
  const { ask } = probes(fault)
  const begun = performance.now()
  expect(await ask('/readyz')).toEqual([503, status, failed])
  expect(performance.now() - begun).toBeLessThan(2_000)
  expect(await ask('/livez')).toEqual([200, 'ok'])
  expect(await ask('/startupz')).toEqual([200, 'started'])
})

test('a machine whose clock is off is not ready while another is right, and is when all are off', async () => {
  const own = platform().services.cluster.self
  const off = { clockOffsetMs: 120_000 }
  const right = probes({ snapshot: { ...off, peers: [{ ...own, clockOffsetMs: 3 }] } })
  expect(await right.ask('/readyz')).toEqual([503, 'not ready', { clock: 'this machine differs from the database' }])
  const all = probes({ snapshot: { ...off, peers: [{ ...own, ...off }] } })
  expect(await all.ask('/readyz')).toEqual([200, 'ready'])
})

test('a machine whose clock is off stays ready for what no other with the right clock does', async () => {
  const own = platform().services.cluster.self
  const peer = (role: string) => ({ ...own, roles: [role], clockOffsetMs: 3 })
  const vault = { self: { ...own, roles: ['vault'] }, clockOffsetMs: 120_000 }
  expect(await probes({ snapshot: { ...vault, peers: [peer('api'), peer('worker')] } }).ask('/readyz')).toEqual([
    200,
    'ready',
  ])
  expect((await probes({ snapshot: { ...vault, peers: [peer('api'), peer('vault')] } }).ask('/readyz'))[0]).toBe(503)
})

test('a process that stops is not ready from the first moment, and lives', async () => {
  const { health, ask } = probes({})
  expect(await ask('/readyz')).toEqual([200, 'ready'])
  health.stop()
  expect(await ask('/readyz')).toEqual([503, 'stopping', { stopping: 'stopping' }])
  expect(await ask('/livez')).toEqual([200, 'ok'])
})

test('a heartbeat that hangs for minutes is reported as what a restart fixes', async () => {
  const { ask } = probes({ snapshot: { unansweredMs: 121_000 } })
  expect((await ask('/livez'))[0]).toBe(503)
})

test('both origins answer all probes with one word', async () => {
  const { apiUrl, vaultUrl } = platform()
  for (const url of [apiUrl, vaultUrl]) {
    const answers = { '/livez': 'ok', '/healthz': 'ok', '/readyz': 'ready', '/startupz': 'started' }
    for (const [path, status] of Object.entries(answers)) {
      const response = await fetch(url + path)
      expect([response.status, await response.json()]).toEqual([200, { status }])
    }
  }
})

test.each(testableEngines())('a lost database on %s is reported within two seconds', async (engine) => {
  const own = await startTestPlatform({ engine })
  await own.services.db.close()
  const begun = performance.now()
  const { status, body } = await own.request('GET', '/readyz', { key: '' })
  expect([status, body]).toMatchObject([503, { failed: { reads: 'refuses' } }])
  expect(performance.now() - begun).toBeLessThan(2_000)
  await own.remove()
})
