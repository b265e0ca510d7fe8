import { once } from 'node:events'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import type { LocalFile } from '../src/local/start-local.ts'
import { execute } from './execute.ts'
import { newCardInstrument } from './new-card-instrument.ts'
import { scratch } from './scratch.ts'
import { startProcess } from './start-process.ts'
import { wrk } from './wrk.ts'

/** Share of the main thread that metrics and traces together may take while payments keep it busy. */
const SHARE = 0.03

/**
 * The share of the main thread that telemetry takes under a load of payments: with metrics, and with metrics and traces.
 * A platform is bound by its main thread, so this is the share of its throughput. It is read from a profile of one
 * process, because two processes of the same program differ by as much as the bound for as long as they live.
 */
export async function benchTelemetry(): Promise<void> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const address = collector.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const metrics = { TILLWRIGHT_METRICS_PORT: '0' }
  await report('metrics', metrics)
  await report('metrics and traces', { ...metrics, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  collector.close()
  collector.closeAllConnections()
}

async function report(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { share, perSecond } = await profiled(env)
  const verdict = share <= SHARE ? 'ok  ' : 'MISS'
  console.log(
    `${verdict} ${name}: ${(share * 100).toFixed(1)} % of the main thread at ${Math.round(perSecond)} payments a second (at most ${SHARE * 100} %)`,
  )
}

async function profiled(env: Readonly<Record<string, string>>): Promise<{ share: number; perSecond: number }> {
  const folder = await mkdtemp(join(scratch, 'profile-'))
  const profiling = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` }
  const platform = await startProcess('platform', { env: { ...env, ...profiling } })
  const load = await payingLoad(platform.home)
  await load() // compiled, connected and cached
  const sinceUs = Number(process.hrtime.bigint() / 1_000n)
  const { perSecond } = await load()
  await platform.stop()
  return { share: telemetryShare(await mainProfile(folder), sinceUs), perSecond }
}

async function payingLoad(home: string) {
  const local: LocalFile = JSON.parse(await readFile(join(home, 'local.json'), 'utf8'))
  await execute({ home, databaseUrl: undefined }, [
    'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000',
    'UPDATE webhook_endpoints SET enabled = 0',
  ])
  const paymentInstrumentId = await newCardInstrument(local)
  const body = JSON.stringify({ storeId: local.storeId, paymentInstrumentId, currency: 'USD', amount: 500 })
  const url = `${local.apiUrl}/api/payments/v1/payments`
  return () => wrk({ url, headers: { Authorization: `Bearer ${local.apiKey}` }, body })
}

/** Each thread has a profile of its own, whose name ends with the thread's number and a running one: the first is the main thread's. */
async function mainProfile(folder: string): Promise<Profiler.Profile> {
  const name = (await readdir(folder)).find((each) => /\.0\.\d+\.cpuprofile$/.test(each))
  if (name === undefined) throw new Error('The platform has left no profile of its main thread.')
  return JSON.parse(await readFile(join(folder, name), 'utf8'))
}

/**
 * The share of busy samples whose nearest function that is not Node's own belongs to telemetry.
 *
 * @param sinceUs Samples before are left out: microseconds of the monotonic clock, which is the clock of profiles.
 */
function telemetryShare(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  sinceUs: number,
): number {
  const ofTelemetry = telemetryNodes(nodes)
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id))
  let atUs = startTime
  let busyUs = 0
  let telemetryUs = 0
  for (const [at, node] of samples.entries()) {
    const tookUs = timeDeltas[at] ?? 0
    atUs += tookUs
    if (atUs < sinceUs || idle.has(node)) continue
    busyUs += tookUs
    if (ofTelemetry.has(node)) telemetryUs += tookUs
  }
  if (busyUs === 0) throw new Error('The profile has no sample of the load.')
  return telemetryUs / busyUs
}

/** The functions of telemetry, and Node's own that these call. */
function telemetryNodes(nodes: readonly Profiler.ProfileNode[]): ReadonlySet<number> {
  const found = new Set<number>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const walk = (node: Profiler.ProfileNode, isWithin: boolean): void => {
    const { url } = node.callFrame
    const isOne = url === '' || url.startsWith('node:') ? isWithin : /@opentelemetry|\/src\/telemetry\//.test(url)
    if (isOne) found.add(node.id)
    for (const child of node.children ?? []) {
      const called = byId.get(child)
      if (called !== undefined) walk(called, isOne)
    }
  }
  const [root] = nodes
  if (root !== undefined) walk(root, false)
  return found
}
