import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { LocalFile } from '../src/local/start-local.ts'
import { execute } from './execute.ts'
import { newCardInstrument } from './new-card-instrument.ts'
import { startProcess } from './start-process.ts'
import { wrk } from './wrk.ts'

/** What metrics and traces together may take of the throughput. */
const COST = 0.03
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)

/** Payments a second without telemetry, with metrics, and with metrics and traces, in interleaved rounds of one run. */
export async function benchTelemetry(): Promise<void> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const address = collector.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const metrics = { TILLWRIGHT_METRICS_PORT: '0' }
  const traces = { ...metrics, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const all = await Promise.all([paying('off', {}), paying('metrics', metrics), paying('metrics and traces', traces)])
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // Each is first once, because the first of a round is the fastest.
      for (let place = 0; place < all.length; place++) await all[(round + place) % all.length]?.measure()
    }
    const [off, ...others] = all
    for (const { name, rates } of others) {
      const shares = rates.map((rate, round) => rate / (off?.rates[round] ?? rate))
      const cost = 1 - median(shares)
      const verdict = cost <= COST ? 'ok  ' : 'MISS'
      console.log(
        `${verdict} ${name}: ${Math.round(median(rates))} payments/s, ${(cost * 100).toFixed(1)} % less than the ` +
          `${Math.round(median(off?.rates ?? []))} without (at most ${COST * 100} %)`,
      )
    }
  } finally {
    await Promise.all(all.map(({ stop }) => stop()))
    collector.close()
    collector.closeAllConnections()
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
  const rates: number[] = []
  return {
    name,
    rates,
    stop: platform.stop,
    async measure() {
      const headers = { Authorization: `Bearer ${local.apiKey}` }
      rates.push((await wrk({ url, headers, body, seconds: SECONDS })).perSecond)
    },
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
