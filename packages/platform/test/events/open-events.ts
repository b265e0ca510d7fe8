import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventType, WebhookEndpoint } from '@tillwright/contract'
import { pino } from 'pino'
import { inject, onTestFinished } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { joinCluster } from '../../src/cluster/membership.ts'
import { emit, type EventSubject } from '../../src/events/emit.ts'
import { newEndpoint, type NewEndpoint } from '../../src/events/endpoints.ts'
import type { RequestContext, Services, Write } from '../../src/request-context.ts'
import { manualClock, type ManualClock } from '../../src/runtime/clock.ts'
import type { ApiError } from '../../src/runtime/errors.ts'
import { seededRandomness } from '../../src/runtime/randomness.ts'
import { secretBox } from '../../src/runtime/secret-box.ts'
import type { Database, Row } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { noTelemetry } from '../../src/telemetry/telemetry.ts'
import { openCardVault } from '../../src/vault/card-vault.ts'
import { keyCall } from '../key-call.ts'

/** Environment of a test of events: a database of its own, a manual clock, and one seed. */
export interface TestEvents {
  services: Services
  clock: ManualClock
  /** Everything logged so far. */
  logged: string[]
  call(accountId?: string): RequestContext
  commit(writes: readonly Write[]): Promise<void>
  /** The error of writes that must be refused. */
  refusal(writes: readonly Write[]): Promise<ApiError | undefined>
  addStore(id: string): Promise<void>
  /** An endpoint for every event but drafts, unless `wanted` says otherwise. */
  addEndpoint(url: string, wanted?: Partial<NewEndpoint>): Promise<{ endpoint: WebhookEndpoint; secret: string }>
  /** Emits an `s_customer_created`, unless `type` says otherwise, and returns its id. */
  happen(about?: EventSubject & { type?: EventType; accountId?: string; note?: string }): Promise<string>
  /** An event's row. */
  event(id: string): Promise<Row | undefined>
  /** The rows of an event's deliveries, by endpoint. */
  deliveries(eventId: string): Promise<readonly Row[]>
  /** The same database as another process has it: with connections of its own where the engine allows that. */
  elsewhere(): Promise<Services>
}

/** Where the clock stands at first: the beginning of a day. */
export const EVENTS_START_MS = Date.UTC(2030, 0, 1)

/** The engines that can be tested here. */
export function testableEngines(): Database['engine'][] {
  return inject('postgresUrl') === null ? ['sqlite'] : ['sqlite', 'postgres']
}

/** Opens an empty platform database that is gone when the test is over. */
export async function openEvents(engine: Database['engine'] = 'sqlite'): Promise<TestEvents> {
  const { db, reopen } = await testDatabase(engine)
  const clock = manualClock(EVENTS_START_MS)
  const randomness = seededRandomness('events')
  const secrets = secretBox(new Uint8Array(32).fill(1), randomness)
  const logged: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) })
  const cardVault = openCardVault(secretBox(new Uint8Array(32).fill(2), randomness), randomness)
  const cluster = await joinCluster({ db, clock, log })
  onTestFinished(() => cluster.leave())
  const telemetry = noTelemetry
  const services: Services = {
    db,
    clock,
    randomness,
    secrets,
    cardVault,
    environment: 'local',
    log,
    telemetry,
    cluster,
    callHook: async () => ({ failure: 'unreachable', detail: 'Nobody is asked.' }),
  }
  const call = (accountId = 'acc_1') => testCall(services, accountId)
  async function commit(writes: readonly Write[]): Promise<void> {
    const { outcome } = await db.write(writes.map(({ onRefused: _, ...statement }) => statement))
    if (outcome === 'refused') throw new Error('The transaction was refused.')
  }
  return {
    services,
    clock,
    logged,
    call,
    commit,
    async refusal(writes) {
      const outcome = await db.write(writes.map(({ onRefused: _, ...statement }) => statement))
      if (outcome.outcome === 'committed') throw new Error('The transaction was committed.')
      return writes[outcome.statement]?.onRefused?.(outcome.reason)
    },
    addStore: (id) => commit([{ sql: insertStore, params: [id] }]),
    async addEndpoint(url, wanted) {
      const { endpoint, secret, writes } = newEndpoint({ url, eventTypes: '*', drafts: false, ...wanted }, call())
      await commit(writes)
      return { endpoint, secret }
    },
    async happen({ type = 's_customer_created', accountId, note = '', ...subject } = {}) {
      const maker = call(accountId)
      const id = maker.newId('evt')
      // Events are stored as they come; what their properties are does not matter here.
      const properties = { customerId: `cus_1${note}` } as never
      await commit(emit(type, { ...subject, properties }, { ...maker, newId: () => id }))
      return id
    },
    event: async (id) => (await db.read('SELECT * FROM events WHERE id = ?', [id]))[0],
    deliveries: (eventId) =>
      db.read('SELECT * FROM webhook_deliveries WHERE event_id = ? ORDER BY endpoint_id', [eventId]),
    elsewhere: async () => ({ ...services, db: await reopen() }),
  }
}

const insertStore = `INSERT INTO stores (account_id, id, name, archived, revision, resource, created_at)
  VALUES ('acc_1', ?, 'Bikes', 0, 1, '{}', 0)`

async function testDatabase(engine: Database['engine']): Promise<{ db: Database; reopen: () => Promise<Database> }> {
  const folder = await mkdtemp(join(tmpdir(), 'events-'))
  const server = inject('postgresUrl')
  const url =
    engine === 'postgres' && server !== null ? await copyDatabase(server, inject('postgresTemplate')) : undefined
  const open: Database[] = []
  async function openOne(): Promise<Database> {
    const db = await openDatabase({ folder, ...(url !== undefined && { url }) })
    open.push(db)
    return db
  }
  onTestFinished(async () => {
    await Promise.all(open.map((db) => db.close()))
    await rm(folder, { recursive: true })
    if (url !== undefined && server !== null) await dropDatabase(server, url)
  })
  const db = await openOne()
  return { db, reopen: () => (engine === 'postgres' ? openOne() : Promise.resolve(db)) }
}

function testCall(services: Services, accountId: string): RequestContext {
  return { ...keyCall(services, { accountId, roles: ['org:admin'] }), begin: async () => [] }
}
