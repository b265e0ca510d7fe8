import { createDatabase } from '../../../.ci/postgres-database.ts'
import { benchStatistics, type StatisticsFigure } from './bench-statistics.ts'

/** The statistics of ten million events, with and without filters, on both engines. */
export async function reportStatistics(postgresUrl: string | null): Promise<void> {
  report('sqlite', await benchStatistics())
  if (postgresUrl !== null) report('postgres', await benchStatistics(await createDatabase(postgresUrl)))
}

function report(engine: string, figures: readonly StatisticsFigure[]): void {
  for (const { filter, p50Ms, p99Ms, mostMs } of figures) {
    const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (at most ${mostMs})`
    console.log(`${p99Ms <= mostMs ? 'ok  ' : 'MISS'} ${engine} statistics by ${filter}: ${times}`)
  }
}
