import { hash } from 'node:crypto'
import { Agent } from 'node:http'
import { type CallOf, type Operation, pageAudiences, type Plan, type ResponseOf } from '@tillwright/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { firstOf } from '../../../.ci/soaks.ts'
import { nextSeed } from '../../../.ci/test-seed.ts'
import { insertAccount } from '../src/accounts/accounts.ts'
import { newApiKey, type NewApiKey } from '../src/accounts/api-keys.ts'
import { type Config, readConfig } from '../src/config.ts'
import { commit } from '../src/http/operations/commit.ts'
import type { LocalPlatform } from '../src/local/start-local.ts'
import type { ProcessorDriver } from '../src/processors/processor-driver.ts'
import { manualClock, type ManualClock } from '../src/runtime/clock.ts'
import type { TestClock } from '../src/http/index.ts'
import { newId, seededRandomness } from '../src/runtime/randomness.ts'
import type { Database, Statement } from '../src/storage/database.ts'
import { accountFirst, type Watch } from './account-first.ts'
import { auditedWrites } from './audited-writes.ts'
import { callOperation, type Send } from './call-operation.ts'
import { newPlace } from './platform-place.ts'
import { startWithProcessors } from './processors/test-processors.ts'
import { type Answer, sendRequest, type SentRequest } from './send-request.ts'
import { type Prepared, prepareOnPostgres } from './storage/prepare-on-postgres.ts'

/** The page that the local account's publishable key may stand in. No server listens there, so webhooks wait. */
export const SHOP_URL = 'http://127.0.0.1:9'

/** How a platform under test differs from the local one of a developer. */
export interface TestPlatformOptions {
  engine?: Database['engine']
  rateLimits?: boolean
  /** One of the test file and of the run unless given. */
  seed?: string
  /** Shared by platforms that stand for several processes of one deployment. */
  databaseUrl?: string
  /** Where answers to challenges are judged; the secret is `challenge secret`. */
  challengeUrl?: string
  /** Where the files of plugins are kept, instead of the folder. */
  blobsUrl?: string
  clock?: ManualClock
  /** Behind a proxy that ends HTTPS, with live keys, and without the simulator: a driver of tests stands in for real processors. */
  environment?: 'production'
  /** Where the proxy of production hands on client certificates, `null` for nowhere; `Client-Cert` unless given. */
  clientCertHeader?: null
  /** Drivers in addition to the built-in ones and the simulator. */
  processors?: readonly ProcessorDriver[]
  /** Further settings, such as those of metrics. */
  env?: Readonly<Record<string, string>>
}

/**
 * A whole platform on free ports, spoken to over HTTP, with a clock that stands still. Every transaction that it writes
 * has to begin with its account, and to record what it changes; what a test writes through `services` need not.
 */
export interface TestPlatform extends LocalPlatform {
  clock: ManualClock
  /** The folder of its state. */
  folder: string
  /** The settings of whatever else works on the same data, such as an operator. */
  settings: Readonly<Record<string, string | undefined>>
  /** Every line logged so far. */
  logged: string[]
  /** Every SQL text that the platform has sent to its database so far. */
  statements: ReadonlySet<string>
  /** How much it has sent so far. */
  sent: Readonly<SentToDatabase>
  /** Sends a request to the API's origin, with the local account's key without roles unless another or '' is given. */
  request(method: string, path: string, sent?: SentRequest): Promise<Answer>
  /** The same to the vault's origin, with the publishable key. */
  vaultRequest(method: string, path: string, sent?: SentRequest): Promise<Answer>
  /** The same to the API's origin as the shop's page sends it, with the publishable key or a session's token. */
  pageRequest(method: string, path: string, sent?: SentRequest): Promise<Answer>
  /** Calls an operation that must succeed. */
  call<Op extends Operation>(operation: Op, sent: CallOf<Op>, key?: string): Promise<ResponseOf<Op>>
  /** Makes a key of the local account, unless it names another. */
  addKey(key?: Partial<NewApiKey>): Promise<string>
  /** Makes an account with a key without roles. */
  addAccount(plan?: Plan): Promise<{ accountId: string; apiKey: string }>
  /** Stops the platform, cleanly, and starts it again on the same data. */
  restart(): Promise<void>
  /**
   * Stops the platform and deletes its data.
   *
   * @throws When it has written transactions that begin with another text than their account or leave no entry of the
   *   audit log, or sent SQLite a statement that PostgreSQL would not take.
   */
  remove(): Promise<void>
}

/** Counts of a platform's requests to its database. `paramBytes`: of all parameters, as text. */
export interface SentToDatabase {
  reads: number
  transactions: number
  statements: number
  paramBytes: number
}

/** The engines that can be tested here. */
export function testableEngines(): Database['engine'][] {
  return inject('postgresUrl') === null ? ['sqlite'] : ['sqlite', 'postgres']
}

/**
 * The engines for rules above storage: SQLite, and all of them in a soak. The walk over every operation and what several
 * do at once are for `testableEngines`. Whatever a platform sends to SQLite in a test is prepared on PostgreSQL, too.
 */
export function ruleEngines(): readonly Database['engine'][] {
  return firstOf(testableEngines())
}

/**
 * For a `describe` of each engine: `const test = ruleTest(engine)` is for the rules in it, and makes no test where
 * `ruleEngines` lacks the engine. What several do at once is vitest's `it`, on every engine.
 */
export function ruleTest(engine: Database['engine']): typeof test {
  if (ruleEngines().includes(engine)) return test
  const none = () => {}
  // Rules are made by calling it, `for` and `each` alone.
  return Object.assign(none, { for: () => none, each: () => none }) as unknown as typeof test
}

/** Starts one platform for all tests of a file or `describe`. */
export function sharedPlatform(options: TestPlatformOptions = {}): () => TestPlatform {
  let platform: TestPlatform | undefined
  beforeAll(async () => {
    platform = await startTestPlatform(options)
  })
  afterAll(() => platform?.remove())
  return () => {
    if (platform === undefined) throw new Error('The platform is there as soon as the first test begins.')
    return platform
  }
}

/** When the time of platforms under test begins. */
const STARTS_AT_MS = Date.UTC(2030, 0, 1)

/** Starts a platform on an empty database. The caller removes it. */
export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const { folder, databaseUrl, remove } = await newPlace(options)
  const clock = options.clock ?? manualClock(STARTS_AT_MS)
  const logged: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) })
  const settings = settingsFor(options, { folder, databaseUrl })
  // A production refuses to start without limits, which would be in the way of tests of something else.
  const config = { ...readConfig(settings), rateLimits: options.rateLimits === true }
  const [watches, seen] = [[accountFirst(), auditedWrites()], sentStatements()] as const
  const dependencies = { clock, log, processors: options.processors ?? [], ...movedByRequests(clock, options) }
  const start = async () =>
    watched(await startWithProcessors(seeded(config, options), SHOP_URL, dependencies), watches, seen)
  const agent = new Agent({ keepAlive: true })
  const send = (method: string, url: string, sent: SentRequest) =>
    sendRequest(method, url, { agent, ...throughProxy(withoutKey(sent), options) })
  const platform: TestPlatform = {
    statements: seen.texts,
    sent: seen.sent,
    ...(await start()),
    clock,
    folder,
    settings,
    logged,
    request: (method, path, { key = platform.local.apiKey, ...sent } = {}) =>
      send(method, originOf('api', platform) + path, { ...sent, key }),
    vaultRequest: (method, path, { key = platform.local.publishableKey, ...sent } = {}) =>
      send(method, originOf('vault', platform) + path, { ...sent, key }),
    pageRequest: (method, path, { headers, ...sent } = {}) =>
      platform.request(method, path, {
        key: platform.local.publishableKey,
        ...sent,
        headers: { Origin: SHOP_URL, ...headers },
      }),
    call: (operation, sent, key) => {
      const caller = callerOf(operation, platform)
      return callOperation(operation, sent, key === undefined ? caller : { ...caller, key })
    },
    addKey: async (key = {}) => {
      const { text, write } = newApiKey(
        { accountId: platform.local.accountId, kind: 'secret', ...key },
        platform.services,
      )
      await commit([write], platform.services)
      return text
    },
    addAccount: (plan = 'standard') => addAccount(platform, plan),
    restart: async () => {
      await platform.stop()
      Object.assign(platform, await start())
    },
    remove: async () => {
      agent.destroy()
      await platform.stop()
      await remove()
      for (const watch of watches) watch.end()
      if (databaseUrl === undefined) await prepareOnPostgres(seen.statements.values())
    },
  }
  return platform
}

/** The test clock, by which requests advance a local platform's time; production has none. */
function movedByRequests(clock: ManualClock, { environment }: TestPlatformOptions): { testClock?: TestClock } {
  const testClock = { aheadMs: () => clock.now() - STARTS_AT_MS, advance: async (byMs: number) => clock.advance(byMs) }
  return environment === undefined ? { testClock } : {}
}

async function addAccount(platform: TestPlatform, plan: Plan): Promise<{ accountId: string; apiKey: string }> {
  const nowMs = platform.clock.now()
  const accountId = newId('acc', nowMs, seededRandomness(nextSeed()))
  await commit([insertAccount({ id: accountId, name: 'Another', plan }, nowMs)], platform.services)
  return { accountId, apiKey: await platform.addKey({ accountId }) }
}

/** Another seed for each start: a clock that stands still and the same draws would make the same ids again. */
function seeded(config: Config, { seed = nextSeed() }: TestPlatformOptions): Config {
  return { ...config, seed }
}

/** The key that an operation takes, and the host that serves it. */
function callerOf({ audience }: Operation, platform: TestPlatform): { key: string; send: Send } {
  const { publishableKey, adminApiKey } = platform.local
  if (audience === 'frame') return { key: publishableKey, send: platform.vaultRequest }
  if (pageAudiences.includes(audience)) return { key: publishableKey, send: platform.pageRequest }
  return { key: adminApiKey, send: platform.request }
}

type ServedDeployment = { folder: string; databaseUrl: string | undefined }

function settingsFor(
  options: TestPlatformOptions,
  { folder, databaseUrl }: ServedDeployment,
): Record<string, string | undefined> {
  const { rateLimits, seed, challengeUrl, blobsUrl } = options
  return {
    TILLWRIGHT_HOME: folder,
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_RATE_LIMITS: rateLimits === true ? 'on' : 'off',
    TILLWRIGHT_SEED: seed,
    TILLWRIGHT_CHALLENGE_VERIFY_URL: challengeUrl,
    TILLWRIGHT_CHALLENGE_SECRET: challengeUrl && 'challenge secret',
    TILLWRIGHT_BLOBS: blobsUrl,
    TILLWRIGHT_DRAIN_SECONDS: '0',
    DATABASE_URL: databaseUrl,
    // The processes of one deployment share its keys.
    TILLWRIGHT_VAULT_KEY: options.databaseUrl && vaultKey,
    TILLWRIGHT_SECRETS_KEY: options.databaseUrl && secretsKey,
    ...(options.environment === 'production' && production),
    ...options.env,
    ...(options.clientCertHeader === null && { TILLWRIGHT_CLIENT_CERT_HEADER: undefined }),
  }
}

const vaultKey = hash('sha256', 'vault key', 'base64')
const secretsKey = hash('sha256', 'secrets key', 'base64')
const production = {
  TILLWRIGHT_ENVIRONMENT: 'production',
  TILLWRIGHT_API_URL: 'https://api.shop.example',
  TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
  TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop-pages.example',
  TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
  TILLWRIGHT_CLIENT_CERT_HEADER: 'Client-Cert',
  TILLWRIGHT_RATE_LIMITS: 'on',
  TILLWRIGHT_VAULT_KEY: vaultKey,
  TILLWRIGHT_SECRETS_KEY: secretsKey,
}

/** Where an origin is listened on: in production another address than callers know it by. */
function originOf(origin: 'api' | 'vault', { apiUrl, vaultUrl, logged }: TestPlatform): string {
  const known = origin === 'api' ? apiUrl : vaultUrl
  if (!known.startsWith('https:')) return known
  const started = logged.findLast((line) => line.includes('platform started')) ?? '{}'
  const { port, vaultPort } = JSON.parse(started)
  return `http://127.0.0.1:${origin === 'api' ? port : vaultPort}`
}

function throughProxy(sent: SentRequest, { environment }: TestPlatformOptions): SentRequest {
  if (environment !== 'production') return sent
  return { ...sent, headers: { 'X-Forwarded-Proto': 'https', ...sent.headers } }
}

/** A key of '' stands for none at all. */
const withoutKey = ({ key, ...sent }: SentRequest): SentRequest => (key === '' ? sent : { ...sent, key })

/** The platform under watch, with a database for the test that is not. */
function watched(platform: LocalPlatform, watches: readonly Watch[], seen: SentStatements): LocalPlatform {
  const [db = platform.services.db] = watches.map((watch) => watch.over(platform.services.db))
  noteStatements(platform.services.db, seen)
  return { ...platform, services: { ...platform.services, db } }
}

type SentStatements = ReturnType<typeof sentStatements>

/** Recorder of the statements that a platform sends to its database. */
function sentStatements() {
  const [texts, statements] = [new Set<string>(), new Map<string, Prepared>()]
  const sent: SentToDatabase = { reads: 0, transactions: 0, statements: 0, paramBytes: 0 }
  const add = (statement: Prepared & Pick<Statement, 'params'>): void => {
    texts.add(statement.sql)
    statements.set(`${statement.expect} ${statement.sql}`, statement)
    for (const param of statement.params) sent.paramBytes += Buffer.byteLength(String(param))
  }
  return { texts, statements, sent, add }
}

function noteStatements(db: Database, { sent, add }: SentStatements): void {
  const [read, write] = [db.read.bind(db), db.write.bind(db)]
  db.read = (sql, params) => {
    sent.reads += 1
    add({ sql, params })
    return read(sql, params)
  }
  db.write = (transaction) => {
    sent.transactions += 1
    sent.statements += transaction.length
    for (const statement of transaction) add(statement)
    return write(transaction)
  }
}
