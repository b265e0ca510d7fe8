import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { LocalFile } from '../src/local/start-local.ts'
import { execute } from './execute.ts'
import { newCardInstrument } from './new-card-instrument.ts'
import { compared, inTurns, type Slices, verdictOf } from './pairs.ts'
import { startProcess } from './start-process.ts'
import { wrk } from './wrk.ts'

/** Share of the throughput that metrics and traces together may cost. */
const COST = 0.03
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 8)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1)
/** Two processes of the same program differ by a few percent for as long as they live: how often all are started anew. */
const STARTS = Number(process.env['BENCH_STARTS'] ?? 7)

/**
 * Payments without telemetry, with metrics, and with metrics and traces, in turns. A second platform without telemetry tells
 * by how much two that are the same differ in this run: a difference as large as that says nothing.
 */
export async function benchTelemetry(): Promise<void> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const address = collector.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const starts: Slices[][] = []
  for (let start = 0; start < STARTS; start += 1) starts.push(await measured(`http://127.0.0.1:${port}`))
  const [off, same, ...others] = starts.reduce((sum, slices) => sum.map((each, at) => joined(each, slices[at] ?? each)))
  if (off === undefined || same === undefined) throw new Error('Nothing was measured: BENCH_STARTS is 1 or more.')
  console.log(`     ${compared(same, off).summary}`)
  for (const slices of others) console.log(verdictOf('', compared(slices, off), COST))
  collector.close()
  collector.closeAllConnections()
}

function joined(former: Slices, { perSecond, cpuUs }: Slices): Slices {
  return {
    name: former.name,
    perSecond: [...former.perSecond, ...perSecond],
    cpuUs: [...former.cpuUs, ...cpuUs],
  }
}

async function measured(collectorUrl: string): Promise<Slices[]> {
  const metrics = { TILLWRIGHT_METRICS_PORT: '0' }
  const traces = { ...metrics, OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl }
  const variants: [string, Readonly<Record<string, string>>][] = [
    ['off', {}],
    ['off again', {}],
    ['metrics', metrics],
    ['metrics and traces', traces],
  ]
  const all = await Promise.all(variants.map(([name, env]) => paying(name, env)))
  try {
    return await inTurns(all, ROUNDS)
  } finally {
    await Promise.all(all.map(({ stop }) => stop()))
  }
}

async function paying(name: string, env: Readonly<Record<string, string>>) {
  const platform = await startProcess('platform', { env })
  const local: LocalFile = JSON.parse(await readFile(join(platform.home, 'local.json'), 'utf8'))
  await execute({ home: platform.home, databaseUrl: undefined }, [
    'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000',
    'UPDATE webhook_endpoints SET enabled = 0',
  ])
  const paymentInstrumentId = await newCardInstrument(local)
  const body = JSON.stringify({ storeId: local.storeId, paymentInstrumentId, currency: 'USD', amount: 500 })
  const url = `${local.apiUrl}/api/payments/v1/payments`
  const headers = { Authorization: `Bearer ${local.apiKey}` }
  const load = () => wrk({ url, headers, body, seconds: SECONDS })
  return { name, pid: platform.pid, load, stop: platform.stop }
}
