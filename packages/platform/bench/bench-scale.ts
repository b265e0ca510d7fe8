import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import type { LocalFile } from '../src/local/start-local.ts'
import { type CountedReceiver, countDeliveries } from './count-deliveries.ts'
import { execute } from './execute.ts'
import { mainThreadUs, processorUs } from './pairs.ts'
import { newCards, quiet } from './report-payments.ts'
import { type Started, startProcess } from './start-process.ts'
import { type Load, wrk } from './wrk.ts'

const PROCESSES = [1, 2, 4] as const
/** Requests under way at one time, however many processes share them. */
const CONNECTIONS = 32
/** Allowed increase of CPU time per payment from one process to four, as a share. */
const COST = 0.1

/** Throughput and cost per payment with so many processes. */
interface ScaleFigures {
  processes: number
  perSecond: number
  /** Of a processor, in microseconds: all processes of the platform, and PostgreSQL. */
  platformUs: number
  databaseUs: number
  /** Of PostgreSQL's log, and of its files. */
  walBytes: number
  diskBytes: number
}

/** Measures payments with one, two and four processes on one PostgreSQL, until their webhooks are delivered. */
export async function benchScale(postgresUrl: string | null): Promise<void> {
  if (postgresUrl === null) return console.log('Many processes are not measured: they need PostgreSQL.')
  const figures: ScaleFigures[] = []
  for (const processes of PROCESSES) figures.push(await measure(await createDatabase(postgresUrl), processes))
  const [one, many] = [figures[0], figures.at(-1)]
  if (one === undefined || many === undefined) return
  const cost = 1 - (one.platformUs + one.databaseUs) / (many.platformUs + many.databaseUs)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  console.log(
    `${cost <= COST ? 'ok  ' : 'MISS'} ${many.processes} processes make ${percent(cost)} fewer payments a second of processor time than one (at most ${percent(COST)})`,
  )
  console.log(`\n${tableOf(figures)}`)
}

async function measure(databaseUrl: string, processes: number): Promise<ScaleFigures> {
  const first = await startProcess('platform', { databaseUrl })
  const others: Started[] = []
  while (others.length < processes - 1) others.push(await startProcess('platform', { databaseUrl, home: first.home }))
  const [all, receiver, server] = [[first, ...others], await countDeliveries(), await connect(databaseUrl)]
  try {
    const local = await announcedBy(all.at(-1) ?? first)
    const place = { home: first.home, databaseUrl }
    await execute(place, [
      'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000',
      `UPDATE webhook_endpoints SET event_types = '["s_order_paid"]', url = 'http://localhost:${receiver.port}/'`,
    ])
    const choices = await newCards({ ...local, apiUrl: first.url }, place)
    const body = JSON.stringify({
      storeId: local.storeId,
      paymentInstrumentId: '{choice}',
      currency: 'USD',
      amount: 500,
    })
    const headers = { Authorization: `Bearer ${local.apiKey}` }
    const connections = CONNECTIONS / processes
    const load = () =>
      Promise.all(
        all.map(({ url }) => wrk({ url: `${url}/api/payments/v1/payments`, headers, body, choices, connections })),
      )
    await delivered(receiver, 0, await load()) // compiled, connected and cached
    const [before, countBefore] = [await taken(all, server), receiver.count]
    const loads = await load()
    await delivered(receiver, countBefore, loads)
    const after = await taken(all, server)
    const payments = receiver.count - countBefore
    const each = (of: keyof Taken) => (after[of] - before[of]) / payments
    return {
      processes,
      perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
      platformUs: each('platformUs'),
      databaseUs: each('databaseUs'),
      walBytes: each('walBytes'),
      diskBytes: each('diskBytes'),
    }
  } finally {
    receiver.close()
    await server.end()
    for (const { stop } of all.toReversed()) await stop()
  }
}

/** Each start of a local platform points the webhooks to a shop of its own: nothing may be set before the last has done so. */
async function announcedBy({ home, pid }: Started): Promise<LocalFile> {
  for (;;) {
    const local: LocalFile = JSON.parse(await readFile(join(home, 'local.json'), 'utf8'))
    if (local.pid === pid) return local
    await delay(20)
  }
}

/** How long deliveries may be behind the payments on a busy machine. */
const BEHIND_MAX_MS = 120_000

/** Waits until as many webhooks have come as payments were answered since `before`, and no more follow. */
async function delivered(receiver: CountedReceiver, before: number, loads: readonly Load[]): Promise<void> {
  const expected = before + loads.reduce((sum, { requests }) => sum + requests, 0)
  const untilMs = performance.now() + BEHIND_MAX_MS
  while (receiver.count < expected) {
    if (performance.now() > untilMs) throw new Error(`of ${expected} webhooks ${receiver.count} have come`)
    await delay(100)
  }
  await quiet(receiver)
}

type Taken = Pick<ScaleFigures, 'platformUs' | 'databaseUs' | 'walBytes' | 'diskBytes'>

async function taken(platforms: readonly Started[], server: pg.Client): Promise<Taken> {
  const { rows: own } = await server.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
  const { rows: written } = await server.query<{ wal: string; disk: string }>(
    "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS disk",
  )
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    platformUs: sum(platforms.map(({ pid }) => processorUs(pid))),
    // Its processes have one thread each.
    databaseUs: sum(own.map(({ pid }) => mainThreadUs(pid))),
    walBytes: Number(written[0]?.wal),
    diskBytes: Number(written[0]?.disk),
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  return client
}

function tableOf(figures: readonly ScaleFigures[]): string {
  const rows = figures.map(({ processes, perSecond, platformUs, databaseUs, ...bytes }) => {
    const cells = [`${Math.round(perSecond)}/s`, `${Math.round(platformUs)} us`, `${Math.round(databaseUs)} us`]
    const perProcessorSecond = Math.round(1e6 / (platformUs + databaseUs))
    const [wal, disk] = [bytes.walBytes, bytes.diskBytes].map((each) => `${(each / 1_000).toFixed(1)} kB`)
    return `| ${[processes, ...cells, perProcessorSecond, wal, disk].join(' | ')} |`
  })
  const head =
    '| processes | payments | platform, each | PostgreSQL, each | payments a processor second | log, each | files, each |\n| --: | --: | --: | --: | --: | --: | --: |'
  return [head, ...rows].join('\n')
}
