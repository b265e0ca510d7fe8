import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { LocalFile } from '../src/local/start-local.ts'
import { execute } from './execute.ts'
import { startProcess } from './start-process.ts'
import { type Load, type LoadRequest, wrk, wrkWhenWarm } from './wrk.ts'

/** Results of one server under load. */
export interface ServerFigures {
  write: Load
  read: Load
}

/** Both servers of one run. */
export interface Figures {
  floor: ServerFigures
  platform: ServerFigures
}

/** Measures the floor and the platform in one run. The URLs are of empty PostgreSQL databases; SQLite without them. */
export async function benchEngine(urls: { floor?: string; platform?: string }): Promise<Figures> {
  return { floor: await benchFloor(urls.floor), platform: await benchPlatform(urls.platform) }
}

const product = (storeId: string) =>
  JSON.stringify({
    storeId,
    name: 'Canvas tote',
    description: 'A sturdy bag of undyed organic canvas, made to be filled.',
    variants: [
      { name: 'Natural', grams: 320, prices: [{ currencyOptions: { USD: { amount: 2400 }, EUR: { amount: 2200 } } }] },
    ],
  })

/** Measures the floor's inserts. */
export async function benchFloorWrite(databaseUrl: string | undefined): Promise<Load> {
  const { write } = await benchFloor(databaseUrl)
  return write
}

async function benchFloor(databaseUrl: string | undefined): Promise<ServerFigures> {
  const floor = await startProcess('floor', databaseUrl === undefined ? {} : { databaseUrl })
  try {
    const write = await wrkWhenWarm({ url: `${floor.url}/items`, body: product('store') })
    const { id } = await post(`${floor.url}/items`, product('store'))
    const read = await wrkWhenWarm({ url: `${floor.url}/items/${id}` })
    return { write, read }
  } finally {
    await floor.stop()
  }
}

/** Measures the platform on a database of its own; SQLite without a URL. */
async function benchPlatform(databaseUrl: string | undefined): Promise<ServerFigures> {
  const platform = await startLoaded(databaseUrl)
  try {
    return { write: await platform.write(), read: await platform.read() }
  } finally {
    await platform.stop()
  }
}

/** A platform on a database of its own, and products that are made and read. */
export interface LoadedPlatform {
  pid: number
  startMs: number
  write: (seconds?: number) => Promise<Load>
  read: (seconds?: number) => Promise<Load>
  stop: () => Promise<void>
}

/** @param as The platform from source on a new home, unless given. */
export async function startLoaded(
  databaseUrl: string | undefined,
  { program = 'platform', ...as }: { program?: 'platform' | 'product'; home?: string } = {},
): Promise<LoadedPlatform> {
  const platform = await startProcess(program, { ...as, ...(databaseUrl !== undefined && { databaseUrl }) })
  const receiver = await silentReceiver()
  const local: LocalFile = JSON.parse(await readFile(join(platform.home, 'local.json'), 'utf8'))
  // The limits stay on, but above what one client can send; every event has a delivery, to a receiver that never answers.
  await execute({ home: platform.home, databaseUrl }, [
    'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000',
    `UPDATE webhook_endpoints SET url = 'http://localhost:${receiver.port}/'`,
  ])
  const headers = { Authorization: `Bearer ${local.apiKey}` }
  const url = `${platform.url}/api/public/v1/products`
  const { productId } = await post(`${url}/create`, product(local.storeId), headers)
  const load = (request: LoadRequest, seconds?: number) =>
    seconds === undefined ? wrkWhenWarm(request) : wrk({ ...request, seconds })
  return {
    pid: platform.pid,
    startMs: platform.startMs,
    write: (seconds) => load({ url: `${url}/create`, headers, body: product(local.storeId) }, seconds),
    read: (seconds) => load({ url: `${url}/${productId}`, headers }, seconds),
    async stop() {
      receiver.close()
      await platform.stop()
    },
  }
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })
  return answer.json()
}

/** Takes connections and says nothing: the worst neighbour a webhook worker can have. */
async function silentReceiver(): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<{ destroy: () => void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens has one
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
