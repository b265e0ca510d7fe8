import { createDatabase } from '../../../.ci/postgres-database.ts'
import { startPostgres } from '../../../.ci/postgres.ts'
import { benchEngine, type Figures } from './bench-engine.ts'
import { benchStatistics, type StatisticsFigure } from './bench-statistics.ts'
import { measureStart } from './measure-start.ts'
import type { Load } from './wrk.ts'

/** What a figure must reach: a share of the floor measured beside it, and a rate on the two cores of reference. */
interface Target {
  share: number
  perSecond: number
  p99Ms: number
}

const START_MS = 400
const IDLE_BYTES = 130e6
const write: Target = { share: 0.5, perSecond: 4_000, p99Ms: 30 }
const reads = { sqlite: 15_000, postgres: 8_000 } as const

const STATISTICS_P99_MS = 20

const [name = 'api'] = process.argv.slice(2)
if (name === 'statistics') {
  reportStatistics('sqlite', await benchStatistics())
  await withPostgres(async (serverUrl) =>
    reportStatistics('postgres', await benchStatistics(await createDatabase(serverUrl))),
  )
} else {
  await reportStart()
  report('sqlite', await benchEngine({}))
  await withPostgres(async (serverUrl) => {
    const [floor, platform] = [await createDatabase(serverUrl), await createDatabase(serverUrl)]
    report('postgres', await benchEngine({ floor, platform }))
  })
}

async function withPostgres(work: (serverUrl: string) => Promise<void>): Promise<void> {
  const server = await startPostgres()
  if ('missing' in server) console.log(`PostgreSQL is not measured: ${server.missing}`)
  else await work(server.url).finally(() => server.stop())
}

function reportStatistics(engine: keyof typeof reads, figures: readonly StatisticsFigure[]): void {
  for (const { filter, p50Ms, p99Ms } of figures) {
    const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (at most ${STATISTICS_P99_MS})`
    say(p99Ms <= STATISTICS_P99_MS, `${engine} statistics by ${filter}: ${times}`)
  }
}

async function reportStart(): Promise<void> {
  const { startMs, idleBytes } = await measureStart()
  say(startMs <= START_MS, `start to first answer ${Math.round(startMs)} ms (at most ${START_MS})`)
  say(idleBytes <= IDLE_BYTES, `idle memory ${Math.round(idleBytes / 1e6)} MB (at most ${IDLE_BYTES / 1e6})`)
}

function report(engine: keyof typeof reads, { floor, platform }: Figures): void {
  compare(`${engine} product create`, { load: platform.write, beside: floor.write, target: write })
  const target = { share: 0.6, perSecond: reads[engine], p99Ms: write.p99Ms }
  compare(`${engine} product read`, { load: platform.read, beside: floor.read, target })
}

function compare(what: string, { load, beside, target }: { load: Load; beside: Load; target: Target }): void {
  const share = load.perSecond / beside.perSecond
  const reached = share >= target.share && load.perSecond >= target.perSecond && load.p99Ms <= target.p99Ms
  const percent = (part: number) => `${Math.round(part * 100)} %`
  say(
    reached,
    `${what} ${Math.round(load.perSecond)}/s, p99 ${load.p99Ms} ms, ${percent(share)} of the floor's ` +
      `${Math.round(beside.perSecond)}/s (at least ${target.perSecond}/s, ${target.p99Ms} ms, ${percent(target.share)})`,
  )
}

function say(reached: boolean, sentence: string): void {
  console.log(`${reached ? 'ok  ' : 'MISS'} ${sentence}`)
}
