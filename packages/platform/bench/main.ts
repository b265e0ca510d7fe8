import { createDatabase } from '../../../.ci/postgres-database.ts'
import { startPostgres } from '../../../.ci/postgres.ts'
import { benchEngine, type Figures } from './bench-engine.ts'
import { measureStart } from './measure-start.ts'

/** What the figures must reach: a share of the floor measured beside them, and a rate on the two cores of reference. */
const targets = {
  sqlite: { write: { share: 0.5, perSecond: 4_000, p99Ms: 30 }, read: { share: 0.6, perSecond: 15_000 } },
  postgres: { write: { share: 0.5, perSecond: 4_000, p99Ms: 30 }, read: { share: 0.6, perSecond: 8_000 } },
} as const

const { startMs, idleBytes } = await measureStart()
say('start to first answer', `${Math.round(startMs)} ms`, startMs <= 400, '<= 400 ms')
say('idle memory', `${Math.round(idleBytes / 1e6)} MB`, idleBytes <= 130e6, '<= 130 MB')

report('sqlite', await benchEngine({}))
const server = await startPostgres()
if ('missing' in server) console.log(`PostgreSQL is not measured: ${server.missing}`)
else {
  try {
    report(
      'postgres',
      await benchEngine({ floor: await createDatabase(server.url), platform: await createDatabase(server.url) }),
    )
  } finally {
    await server.stop()
  }
}

function report(engine: keyof typeof targets, { floor, platform }: Figures): void {
  const { write, read } = targets[engine]
  const share = (part: number, whole: number) =>
    `${Math.round(part)}/s, ${Math.round((100 * part) / whole)} % of the floor's ${Math.round(whole)}/s`
  say(
    `${engine} product create`,
    `${share(platform.writesPerSecond, floor.writesPerSecond)}, p99 ${platform.writeP99Ms} ms`,
    platform.writesPerSecond >= Math.max(write.perSecond, write.share * floor.writesPerSecond) &&
      platform.writeP99Ms <= write.p99Ms,
    `>= ${write.share * 100} %, >= ${write.perSecond}/s, p99 <= ${write.p99Ms} ms`,
  )
  say(
    `${engine} product read`,
    `${share(platform.readsPerSecond, floor.readsPerSecond)}, p99 ${platform.readP99Ms} ms`,
    platform.readsPerSecond >= Math.max(read.perSecond, read.share * floor.readsPerSecond),
    `>= ${read.share * 100} %, >= ${read.perSecond}/s`,
  )
}

function say(what: string, figure: string, reached: boolean, target: string): void {
  console.log(`${reached ? 'ok  ' : 'MISS'}  ${what.padEnd(24)} ${figure}   (target ${target})`)
}
