import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { contract } from '@tillwright/contract'
import { bankSimulator } from '@tillwright/bank-simulator'
import { onTestFinished } from 'vitest'
import { findApiKey, hashKeyText } from '../src/accounts/api-keys.ts'
import { readConfig } from '../src/config.ts'
import { openOperator } from '../src/operator/operator.ts'
import { openRings, withKeys } from '../src/platform-keys.ts'
import { startPlatform } from '../src/platform.ts'
import type { Services } from '../src/request-context.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { systemRandomness } from '../src/runtime/randomness.ts'
import type { SecretBox } from '../src/runtime/secret-box.ts'
import type { Database } from '../src/storage/database.ts'
import { openDatabaseBeside } from '../src/storage/open-database.ts'
import { newFrameSession } from '../src/vault/frame-sessions.ts'
import { authenticationBody } from '../test/authenticate-card.ts'
import { channelFiles } from '../test/channel-files.ts'
import { browserData } from '../test/browser-data.ts'
import { encryptCard } from '../test/vault/encrypt-card.ts'
import { newestJwk } from '../test/vault/newest-jwk.ts'
import type { Place } from './place.ts'
import { platformProgram } from './platform-process.ts'
import { post } from './post.ts'

const SHOP_ORIGIN = 'https://shop.example'

/** A process of some roles. */
export interface RoleProcess {
  port: number
  vaultPort: number
  channelPort: number
  pid: number
  output: () => string
  kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** A shop on a database that processes of several roles share. */
export interface RoleShop {
  /** Starts one; its settings are added to those that all share. */
  start: (role: string, settings?: Readonly<Record<string, string>>) => Promise<RoleProcess>
  vaultKey: string
  /** Makes the store through a process of the API, before the first card is typed. */
  prepare: (api: RoleProcess) => Promise<{ storeId: string }>
  /** A card is typed at a vault's process: its single-use token. */
  typeCard: (vault: RoleProcess, card?: { number?: string; cvc?: string }) => Promise<string>
  /** The token is redeemed at a process of the API: the instrument. */
  redeem: (api: RoleProcess, serviceToken: string) => Promise<string>
  pay: (api: RoleProcess, body: { paymentInstrumentId: string; threeds?: true }, key?: string) => Promise<Sent>
  /** Authenticates a waiting payment in its frame, and continues it. */
  authenticate: (vault: RoleProcess, actionToken: string) => Promise<Sent>
  /** Authenticates a card from the shop's server, without a browser. */
  threedsSession: (api: RoleProcess, paymentInstrumentId: string) => Promise<Sent>
  request: (url: string, body: object, key?: string) => Promise<Sent>
  read: (sql: string) => Promise<readonly Readonly<Record<string, string | number | null>>[]>
}

/** An answer with its body read. */
export interface Sent {
  status: number
  body: Record<string, unknown>
}

/** Sets a development platform up at a place on PostgreSQL. */
export async function openRoleShop(place: Place): Promise<RoleShop> {
  const vaultKey = randomBytes(32).toString('base64')
  const secretsKey = randomBytes(32).toString('base64')
  const shared = sharedSettings(place, secretsKey)
  const { operator, apiKey, processorId } = await addAccount({ ...shared, TILLWRIGHT_VAULT_KEY: vaultKey })

  const request = async (url: string, body: object, key = apiKey): Promise<Sent> => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.7' }
    const answer = await post(url, { apiKey: key, body: JSON.stringify(body), headers })
    if (answer === null) throw new Error(`${url} did not answer.`)
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  const apiOf = ({ port }: RoleProcess) => `http://127.0.0.1:${port}`
  const vaultOf = ({ vaultPort }: RoleProcess) => `http://127.0.0.1:${vaultPort}`

  const { store, publishableKey } = storeMaker((path, api, body) => request(apiOf(api) + path, body), {
    operator,
    processorId,
  })
  const db = await openDatabaseBeside({ folder: place.home, url: place.databaseUrl ?? '' })
  const randomness = systemRandomness()
  const services = { db, randomness, secrets: await openSecrets(db, secretsKey) }
  onTestFinished(() => db.close())

  return {
    vaultKey,
    prepare: store,
    request,
    read: (sql) => db.read(sql, []),
    start: (role, more = {}) => startRole({ ...shared, TILLWRIGHT_ROLE: role, ...more }),
    async typeCard(vault, card = {}) {
      const key = publishableKey()
      const jwe = await encryptedCard({ ...services, publishableKey: key }, card)
      const { body } = await request(vaultOf(vault) + contract.vault.createToken.path, { jwe }, key)
      return String(body['serviceToken'])
    },
    async redeem(api, serviceToken) {
      const { storeId } = await store(api)
      const customerData = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
      const path = contract.paymentInstruments.createFromToken.path
      const answer = await request(apiOf(api) + path, { serviceToken, storeId, customerData })
      const { paymentInstrument } = contract.paymentInstruments.createFromToken.response.parse(answer.body)
      return paymentInstrument.id
    },
    async pay(api, { threeds, ...body }, key = apiKey) {
      const { storeId, flows } = await store(api)
      const paymentFlowId = threeds === true ? flows.threeds : flows.plain
      const sent = { storeId, currency: 'USD', amount: 500, paymentFlowId, ...body }
      return request(apiOf(api) + contract.payments.create.path, sent, key)
    },
    async threedsSession(api, paymentInstrumentId) {
      const { storeId } = await store(api)
      const wanted = { paymentInstrumentId, storeId, sessionData }
      const created = await request(apiOf(api) + contract.threeds.createSession.path, wanted)
      return request(apiOf(api) + contract.threeds.authenticate.path, authenticationBody(String(created.body['id'])))
    },
    async authenticate(vault, actionToken) {
      const body = { actionToken, browser: browserData, methodCompletion: 'U' }
      return request(vaultOf(vault) + contract.threedsFrame.authenticate.path, body, publishableKey())
    },
  }
}

/** Makes a store with two flows, once. */
function storeMaker(
  send: (path: string, api: RoleProcess, body: object) => Promise<Sent>,
  { operator, processorId }: Pick<Awaited<ReturnType<typeof addAccount>>, 'operator' | 'processorId'>,
) {
  let made: { storeId: string; publishableKey: string; flows: Record<'plain' | 'threeds', string> } | undefined
  async function store(api: RoleProcess) {
    if (made !== undefined) return made
    const flow = async (threeDsEnabled: boolean) => {
      const data = { name: 'Flow', strategy: 'simple', threeDsEnabled, processorConfigs: [{ processorId, weight: 1 }] }
      const { body } = await send(contract.paymentFlows.create.path, api, { data })
      return String(body['id'])
    }
    const flows = { plain: await flow(false), threeds: await flow(true) }
    const wanted = { name: 'Shop', baseCurrency: 'USD', selectedPaymentFlowId: flows.plain }
    const { body } = await send(contract.stores.create.path, api, wanted)
    const storeId = String(body['id'])
    const { key: publishableKey } = await operator.keys.createPublishable({ store: storeId, origins: [SHOP_ORIGIN] })
    made = { storeId, publishableKey, flows }
    return made
  }
  return { store, publishableKey: () => made?.publishableKey ?? '' }
}

/** The platform's box of secrets, for what a test seals or signs itself. */
async function openSecrets(db: Database, secretsKey: string): Promise<SecretBox> {
  const keys = { vaultKey: undefined, secretsKey: { kind: 'raw', key: Buffer.from(secretsKey, 'base64') } } as const
  const rings = await openRings(keys, { db, clock: systemClock, randomness: systemRandomness() })
  await rings.close()
  return rings.secrets.box
}

function sharedSettings({ home, databaseUrl }: Place, secretsKey: string): Record<string, string> {
  return {
    TILLWRIGHT_ENVIRONMENT: 'development',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_API_URL: 'https://api.platform.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.platform.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.platform-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_SECRETS_KEY: secretsKey,
    TILLWRIGHT_RATE_LIMITS: 'off',
    TILLWRIGHT_DRAIN_SECONDS: '0',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...channelFiles(home),
  }
}

const sessionData = { id: 'd0e4', type: 'browser', cardBrand: 'visa', recommended_version: '2.2.0' }

/** A card as the form encrypts it. */
async function encryptedCard(
  { publishableKey, ...services }: FormServices,
  card: { number?: string; cvc?: string },
): Promise<string> {
  const known = await findApiKey(hashKeyText(publishableKey), services.db)
  if (known === null) throw new Error('Make the store first.')
  const session = newFrameSession({ keyId: known.caller.keyId, origin: SHOP_ORIGIN }, services)
  const sent = { iat: Math.floor(Date.now() / 1_000), jti: randomBytes(16).toString('base64url'), expYear: 2040 }
  return encryptCard(await newestJwk(services), { ...sent, origin: SHOP_ORIGIN, session, ...card })
}

type FormServices = Pick<Services, 'db' | 'randomness' | 'secrets'> & { publishableKey: string }

/** Creates the database, with an account that a simulated processor charges for. */
async function addAccount(settings: Readonly<Record<string, string>>) {
  const config = readConfig({ ...settings, TILLWRIGHT_LOG_LEVEL: 'silent' })
  const first = await startPlatform(withKeys(config), { simulator: bankSimulator })
  const operator = await openOperator(config)
  const { id: account } = await operator.accounts.create({ name: 'Shop', plan: 'premium' })
  const { key: apiKey } = await operator.keys.createSecret({ account, roles: ['org:admin'], scopes: [] })
  const takesAll = { currencies: null, brands: null, merchant: null, acquirer: null, apiUrl: null }
  const simulator = { account, name: 'Simulator', driver: 'simulator', secret: null, settings: takesAll } as const
  const { id: processorId } = await operator.processors.add(simulator)
  await first.stop()
  onTestFinished(() => operator.close())
  return { operator, apiKey, processorId }
}

/** Starts a process and waits until everything answers. It is gone when the test is over. */
function startRole(settings: Readonly<Record<string, string>>): Promise<RoleProcess> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...settings }
  const child: ChildProcess = spawn(process.execPath, [platformProgram], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  return new Promise((resolve, reject) => {
    const look = (text: Buffer) => {
      output += text.toString()
      const line = output.split('\n').find((each) => each.includes('"platform started"'))
      if (line === undefined) return
      const { port, vaultPort, channelPort } = JSON.parse(line)
      resolve({
        port,
        vaultPort,
        channelPort,
        pid: child.pid ?? 0,
        output: () => output,
        kill: async (signal) => {
          child.kill(signal)
          await ended
        },
      })
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    void ended.then(() => reject(new Error(`The process ended before it answered:\n${output}`)))
  })
}

const CHUNK_BYTES = 16 * 2 ** 20

/** Finds which of the wanted bytes are in a process's writable memory. */
export function foundInMemory<Wanted extends string | Buffer>(pid: number, wanted: readonly Wanted[]): Wanted[] {
  const found = new Set<Wanted>()
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const overlap = Math.max(...wanted.map((each) => Buffer.byteLength(each)))
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      if (from === '') continue
      for (const chunk of chunksOf(memory, [Number(`0x${from}`), Number(`0x${to}`)], overlap))
        for (const each of wanted) if (chunk.includes(each)) found.add(each)
    }
  } finally {
    closeSync(memory)
  }
  return [...found]
}

function* chunksOf(memory: number, [from, to]: readonly [number, number], overlap: number): Generator<Buffer> {
  const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, to - from))
  for (let at = from; at < to; at += Math.max(1, buffer.length - overlap)) {
    try {
      yield buffer.subarray(0, readSync(memory, buffer, 0, Math.min(buffer.length, to - at), at))
    } catch {
      return // a range that is reserved and not readable
    }
    if (at + buffer.length >= to) return
  }
}
