import { startPgBouncer } from '../../../.ci/pgbouncer.ts'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import { startLoaded } from './bench-engine.ts'
import { compared, inTurns, verdictOf } from './pairs.ts'

/** Share of a direct connection's throughput that PgBouncer may cost. */
const COST = 0.15
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)

/** The platform over a direct connection and through PgBouncer in transaction mode, in turns. */
export async function benchPooler(postgresUrl: string | null): Promise<void> {
  if (postgresUrl === null) return
  const pooler = await startPgBouncer(postgresUrl)
  if ('missing' in pooler) return console.log(`PgBouncer is not measured: ${pooler.missing}`)
  const direct = await startLoaded(await createDatabase(postgresUrl))
  const pooled = await startLoaded(pooler.through(await createDatabase(postgresUrl)))
  for (const what of ['write', 'read'] as const) {
    const variants = [
      { name: 'directly', pid: direct.pid, load: () => direct[what](SECONDS) },
      { name: `PgBouncer ${pooler.version}`, pid: pooled.pid, load: () => pooled[what](SECONDS) },
    ]
    const [base, behind] = await inTurns(variants, ROUNDS)
    if (base === undefined || behind === undefined) continue
    console.log(verdictOf(`product ${what}, `, compared(behind, base), COST))
  }
  await Promise.all([direct.stop(), pooled.stop()])
  await pooler.stop()
}
