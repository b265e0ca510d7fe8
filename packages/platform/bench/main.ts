import { startPostgres } from '../../../.ci/postgres.ts'
import { benchApi } from './api.ts'
import { benchFind } from './bench-find.ts'
import { benchPayments } from './bench-payments.ts'
import { benchPeers } from './bench-peers.ts'
import { benchScale } from './bench-scale.ts'
import { benchShares } from './shares.ts'
import { benchTelemetry } from './bench-telemetry.ts'
import { benchPooler } from './pooler.ts'
import { reportStatistics } from './report-statistics.ts'

/**
 * `pnpm bench` measures the shares of the floor, `pnpm bench find` filtered and searched pages of a million payments, `pnpm bench api` each resource and how they bear many rows,
 * `pnpm bench statistics` the statistics of ten million events, `pnpm bench payments` payments until their webhook is
 * delivered, and what 3-D Secure adds, `pnpm bench pooler` what PgBouncer costs, `pnpm bench telemetry` what metrics and
 * traces cost, `pnpm bench peers` ours next to Vendure and Medusa, `pnpm bench scale` one, two and
 * four processes on one PostgreSQL.
 */
const benches = {
  shares: benchShares,
  api: benchApi,
  statistics: reportStatistics,
  find: benchFind,
  payments: benchPayments,
  telemetry: benchTelemetry,
  pooler: benchPooler,
  peers: benchPeers,
  scale: benchScale,
} as const
const name = process.argv[2] ?? 'shares'
const bench = Object.entries(benches).find(([known]) => known === name)?.[1]
if (bench === undefined) throw new Error(`There is no bench "${name}"; there are: ${Object.keys(benches).join(', ')}.`)

const server = await startPostgres()
if ('missing' in server) {
  console.log(`PostgreSQL is not measured: ${server.missing}`)
  await bench(null)
} else {
  await bench(server.url).finally(() => server.stop())
}
