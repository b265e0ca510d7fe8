import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PaymentFlow } from '@tillwright/contract'
import { createDatabase } from '../../../../.ci/postgres-database.ts'
import { freePort } from '../../../../.ci/free-port.ts'
import { type FaultyProxy, startFaultyProxy } from '../../test/storage/faulty-proxy.ts'
import { openShop } from '../open-shop.ts'
import { type Over, type Place, settingsOf } from '../place.ts'
import { type PlatformProcess, type StartOptions, startProcess } from '../platform-process.ts'
import { get, post } from '../post.ts'
import { readRecords } from '../read-records.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type Backend, type Balancer, startBalancer } from './balancer.ts'
import type { Till } from './buyers.ts'
import type { SiteDatabase } from './site-database.ts'

/** One platform process of a site, on ports that stay its own. */
export interface Member extends Backend {
  name: string
  /** Its ways to PostgreSQL. */
  wire: Wire
  /** The process now; the last one while it is down. */
  process: PlatformProcess
  /** Starts it, again and again if it must, as an operator's supervisor does. */
  start(options?: Pick<StartOptions, 'main' | 'settings'>): Promise<void>
}

/** All connections between one process and PostgreSQL. */
export type Wire = Pick<FaultyProxy, 'cut' | 'heal' | 'refuse' | 'silence'>

/** Three platforms behind a balancer, on one PostgreSQL, with a shop, its receiver of webhooks, and its buyers' card. */
export interface Site {
  /** Reads past everything that can be broken, from the server that takes writes now. */
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
  const name = new URL(await createDatabase(database.url())).pathname
  const place: Place = {
    home,
    get databaseUrl() {
      return new URL(name, database.url()).href
    },
  }
  const receiver = await startReceiver(over)
  const shop = await openShop(place, receiver.url)
  receiver.trust(shop.webhookSecret ?? '')
  const before = new Set((await readRecords(place)).events.map(({ id }) => id))
  const members: Member[] = []
  for (const member of MEMBERS) members.push(await openMember(member, { home, databaseUrl: name }, { database, over }))
  const ports = { port: await freePort(), vaultPort: await freePort() }
  const balancer = await startBalancer(ports, members, { folder: home, over })
  const { apiUrl, vaultUrl } = balancer
  await untilServing(balancer)
  const threedsFlowId = await openThreedsFlow(apiUrl, members)
  const { publishableKey = '' } = members[0]?.process.local ?? {}
  const till = { ...shop, apiUrl, vaultUrl, publishableKey, threedsFlowId }
  return { place, members, balancer, database, receiver, before, till }
}

/** @param place `databaseUrl` is the name of the database alone, as a path. */
async function openMember(
  name: string,
  place: Place,
  { database, over }: { database: SiteDatabase; over: Over },
): Promise<Member> {
  const wires = await Promise.all(database.ports.map((port) => startFaultyProxy(port)))
  over(async () => void (await Promise.all(wires.map((wire) => wire.stop()))))
  const ports = { port: await freePort(), vaultPort: await freePort() }
  const hosts = wires.map((wire) => `127.0.0.1:${wire.port}`).join(',')
  const own = { ...place, databaseUrl: `postgres://postgres@${hosts}${place.databaseUrl}${database.parameters}` }
  const start = ({ settings, ...program }: Pick<StartOptions, 'main' | 'settings'> = {}) =>
    supervised(() =>
      startProcess(own, {
        ...program,
        over,
        settings: {
          ...settingsOf(own),
          TILLWRIGHT_PORT: String(ports.port),
          TILLWRIGHT_VAULT_PORT: String(ports.vaultPort),
          TILLWRIGHT_DRAIN_SECONDS: '1', // the balancer needs half of it to notice
          ...settings,
        },
      }),
    )
  const member: Member = {
    name,
    ...ports,
    wire: {
      cut: () => wires.forEach((wire) => wire.cut()),
      heal: () => wires.forEach((wire) => wire.heal()),
      refuse: (refused) => wires.forEach((wire) => wire.refuse(refused)),
      silence: (directions) => wires.forEach((wire) => wire.silence(directions)),
    },
    process: await start(),
    async start(options) {
      member.process = await start(options)
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
