import { startPgBouncer } from '../../../.ci/pgbouncer.ts'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import { benchPlatform, type ServerFigures } from './bench-engine.ts'

/** What PgBouncer may cost, as a share of what a direct connection does. */
const SHARE = 0.85
const ROUNDS = 2

/** The platform over a direct connection and through PgBouncer in transaction mode, in turns. */
export async function benchPooler(postgresUrl: string | null): Promise<void> {
  if (postgresUrl === null) return
  const pooler = await startPgBouncer(postgresUrl)
  if ('missing' in pooler) return console.log(`PgBouncer is not measured: ${pooler.missing}`)
  const direct: ServerFigures[] = []
  const pooled: ServerFigures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    direct.push(await benchPlatform(await createDatabase(postgresUrl)))
    pooled.push(await benchPlatform(pooler.through(await createDatabase(postgresUrl))))
  }
  await pooler.stop()
  for (const what of ['write', 'read'] as const) {
    const perSecond = (figures: readonly ServerFigures[]) => Math.max(...figures.map((each) => each[what].perSecond))
    const share = perSecond(pooled) / perSecond(direct)
    console.log(
      `${share >= SHARE ? 'ok  ' : 'MISS'} PgBouncer ${pooler.version} product ${what} ${Math.round(perSecond(pooled))}/s, ` +
        `${Math.round(share * 100)} % of ${Math.round(perSecond(direct))}/s over a direct connection (at least ${SHARE * 100} %)`,
    )
  }
}
