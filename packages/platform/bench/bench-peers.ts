import { setTimeout as delay } from 'node:timers/promises'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import { startLoaded } from './bench-engine.ts'
import { medusa } from './peers/medusa.ts'
import { type Peer, residentBytes } from './peers/peer.ts'
import { vendure } from './peers/vendure.ts'
import { startProcess } from './start-process.ts'
import { wrkWhenWarm } from './wrk.ts'

/** How long a server is left alone before its memory is read. */
const IDLE_MS = 3_000

/** Results of one commerce back end on PostgreSQL: one process, 32 connections. */
interface PeerFigures {
  name: string
  startMs: number
  idleBytes: number
  /** Products made and read in a second. */
  creates: number
  reads: number
  /** Resident memory after both. */
  loadedBytes: number
}

/** Compares ours with other commerce back ends, on one PostgreSQL in one run. */
export async function benchPeers(postgresUrl: string | null): Promise<void> {
  if (postgresUrl === null) return console.log('Peers are not measured: they need PostgreSQL.')
  const ours = await measureOurs(await createDatabase(postgresUrl))
  const figures = [ours]
  for (const peer of [vendure, medusa]) {
    const measured = await measurePeer(peer, await createDatabase(postgresUrl)).catch((error: unknown) =>
      console.log(`${peer.name} is not measured: ${error instanceof Error ? error.message : String(error)}`),
    )
    if (measured !== undefined) figures.push(measured)
  }
  for (const peer of figures.slice(1)) console.log(verdict(ours, peer))
  console.log(`\n${tableOf(figures)}`)
}

async function measureOurs(databaseUrl: string): Promise<PeerFigures> {
  const { home, stop } = await startProcess('product', { databaseUrl }) // makes the tables, as `prepare` does for the others
  await stop()
  const platform = await startLoaded(databaseUrl, { program: 'product', home })
  try {
    await delay(IDLE_MS)
    const idleBytes = await residentBytes(platform.pid)
    const [write, read] = [await platform.write(), await platform.read()]
    const loadedBytes = await residentBytes(platform.pid)
    const { startMs } = platform
    return { name: 'Tillwright', startMs, idleBytes, creates: write.perSecond, reads: read.perSecond, loadedBytes }
  } finally {
    await platform.stop()
  }
}

/** @throws {Error} When the peer cannot be fetched or does not start, or made fewer products than it said. */
async function measurePeer(peer: Peer, databaseUrl: string): Promise<PeerFigures> {
  await peer.prepare(databaseUrl)
  const server = await peer.start(databaseUrl)
  try {
    await delay(IDLE_MS)
    const idleBytes = await residentBytes(server.pid)
    const { create, read } = await server.requests()
    const write = await wrkWhenWarm(create)
    const made = await server.products()
    if (made < write.requests) throw new Error(`of ${write.requests} products that it said it made, it has ${made}`)
    const { perSecond: reads } = await wrkWhenWarm(read)
    const loadedBytes = await residentBytes(server.pid)
    return { name: peer.name, startMs: server.startMs, idleBytes, creates: write.perSecond, reads, loadedBytes }
  } finally {
    await server.stop()
  }
}

function verdict(ours: PeerFigures, peer: PeerFigures): string {
  const [creates, reads] = [ours.creates / peer.creates, ours.reads / peer.reads]
  const isAhead = creates > 1 && reads > 1 && ours.startMs < peer.startMs && ours.idleBytes < peer.idleBytes
  return `${isAhead ? 'ok  ' : 'MISS'} beside ${peer.name}: ${creates.toFixed(1)} times the creates, ${reads.toFixed(1)} times the reads (ahead in each column)`
}

function tableOf(figures: readonly PeerFigures[]): string {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const rows = figures.map(({ name, startMs, idleBytes, creates, reads, loadedBytes }) => {
    const cells = [
      `${(startMs / 1_000).toFixed(1)} s`,
      mb(idleBytes),
      `${Math.round(creates)}/s`,
      `${Math.round(reads)}/s`,
    ]
    return `| ${[name, ...cells, mb(loadedBytes)].join(' | ')} |`
  })
  const head =
    '| on PostgreSQL | start | at rest | product create | product read | under load |\n| --- | --: | --: | --: | --: | --: |'
  return [head, ...rows].join('\n')
}
