import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PaymentFlow } from '@tillwright/contract'
import { createDatabase } from '../../../../.ci/postgres-database.ts'
import { type FaultyProxy, startFaultyProxy } from '../../test/storage/faulty-proxy.ts'
import { openShop } from '../open-shop.ts'
import { type Over, type Place, settingsOf } from '../place.ts'
import { type PlatformProcess, startProcess } from '../platform-process.ts'
import { get, post } from '../post.ts'
import { readRecords } from '../read-records.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type Backend, type Balancer, startBalancer } from './balancer.ts'
import type { Till } from './buyers.ts'

/** One platform process of a site, on ports that stay its own. */
export interface Member extends Backend {
  name: string
  /** Its way to PostgreSQL. */
  wire: FaultyProxy
  /** The process now; the last one while it is down. */
  process: PlatformProcess
  /** Starts it, again and again if it must, as an operator's supervisor does. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>
}

/** What a site's PostgreSQL can be made to do. */
export interface SiteDatabase {
  /** Of its maintenance database. */
  url: string
  /** Stops the server at once, without a clean shutdown, and starts it on the same port and data. */
  restart(): Promise<void>
}

/** Three platforms behind a balancer, on one PostgreSQL, with a shop, its receiver of webhooks, and its buyers' card. */
export interface Site {
  /** Reads past everything that can be broken. */
  place: Place
  members: readonly Member[]
  balancer: Balancer
  database: SiteDatabase
  receiver: Receiver
  till: Till
  /** The events from before there was a receiver. */
  before: ReadonlySet<string>
}

const MEMBERS = ['a', 'b', 'c'] as const

/** Opens a site on a server. All of it ends when `over` says. */
export async function openSite(database: SiteDatabase, over: Over): Promise<Site> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-site-'))
  over(() => rm(home, { recursive: true, force: true }))
  const databaseUrl = await createDatabase(database.url)
  const place = { home, databaseUrl }
  const receiver = await startReceiver(over)
  const shop = await openShop(place, receiver.url)
  receiver.trust(shop.webhookSecret ?? '')
  const before = new Set((await readRecords(place)).events.map(({ id }) => id))
  const members: Member[] = []
  for (const name of MEMBERS) members.push(await openMember(name, place, over))
  const ports = { port: await freePort(), vaultPort: await freePort() }
  const balancer = await startBalancer(ports, members, { folder: home, over })
  const { apiUrl, vaultUrl } = balancer
  await untilServing(balancer)
  const threedsFlowId = await openThreedsFlow(apiUrl, members)
  const { publishableKey = '' } = members[0]?.process.local ?? {}
  const till = { ...shop, apiUrl, vaultUrl, publishableKey, threedsFlowId }
  return { place, members, balancer, database, receiver, before, till }
}

async function openMember(name: string, place: Place, over: Over): Promise<Member> {
  const databaseUrl = place.databaseUrl ?? ''
  const wire = await startFaultyProxy(Number(new URL(databaseUrl).port))
  over(() => wire.stop())
  const ports = { port: await freePort(), vaultPort: await freePort() }
  const own = { ...place, databaseUrl: wire.through(databaseUrl) }
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    supervised(() =>
      startProcess(own, {
        over,
        settings: {
          ...settingsOf(own),
          TILLWRIGHT_PORT: String(ports.port),
          TILLWRIGHT_VAULT_PORT: String(ports.vaultPort),
          ...settings,
        },
      }),
    )
  const member: Member = {
    name,
    ...ports,
    wire,
    process: await start(),
    async start(settings) {
      member.process = await start(settings)
    },
  }
  return member
}

const STARTS_MAX = 20
const RESTART_MS = 500

async function supervised(start: () => Promise<PlatformProcess>): Promise<PlatformProcess> {
  for (let starts = 1; ; starts++) {
    try {
      return await start()
    } catch (error) {
      if (starts === STARTS_MAX) throw error
      await delay(RESTART_MS)
    }
  }
}

const SERVING_MS = 30_000

/** Resolves when the balancer has a platform to ask. */
export async function untilServing({ apiUrl }: Pick<Balancer, 'apiUrl'>): Promise<void> {
  const deadline = performance.now() + SERVING_MS
  while ((await get(`${apiUrl}/readyz`, ''))?.status !== 200) {
    if (performance.now() > deadline) throw new Error(`No platform serves behind ${apiUrl}.`)
    await delay(50)
  }
}

/** A flow like the shop's own that has buyers authenticated. */
async function openThreedsFlow(apiUrl: string, [member]: readonly Member[]): Promise<string> {
  const { adminApiKey = '', paymentFlowId } = member?.process.local ?? {}
  const flows = await get(`${apiUrl}/api/public/v1/payment-flows`, adminApiKey)
  const all: PaymentFlow[] = JSON.parse(flows?.body ?? '[]')
  const { processorConfigs = [] } = all.find(({ id }) => id === paymentFlowId) ?? {}
  const data = { name: '3-D Secure', strategy: 'cascade', threeDsEnabled: true, processorConfigs }
  const body = JSON.stringify({ data })
  const made = await post(`${apiUrl}/api/public/v1/payment-flows/create`, { apiKey: adminApiKey, body })
  if (made?.status !== 201) throw new Error(`The flow was answered ${made?.status} ${made?.body}.`)
  return JSON.parse(made.body).id
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return address.port
}
