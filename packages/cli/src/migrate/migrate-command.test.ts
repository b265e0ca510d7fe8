import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@tillwright/platform'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startPgBouncer } from '../../../../.ci/pgbouncer.ts'
import { createDatabase, dropDatabase, queryPostgres } from '../../../../.ci/postgres-database.ts'
import { seriesOf } from '../../../platform/faults/upgrade-series.ts'
import { manageSchema } from '../../../platform/src/operator/index.ts'
import { runCommand } from '../testing/run-command.ts'

const server = inject('postgresUrl')
const found = server === null ? { missing: 'No PostgreSQL.' } : await startPgBouncer(server)
if ('missing' in found) console.warn(`tillwright migrate through PgBouncer is not tested: ${found.missing}`)
else afterAll(() => found.stop())

async function newSettings(url: string): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true }))
  return { TILLWRIGHT_HOME: home, DATABASE_URL: url }
}

async function newDatabase(): Promise<string> {
  const url = await createDatabase(server ?? '')
  onTestFinished(() => dropDatabase(server ?? '', url))
  return url
}

describe.skipIf(server === null)('tillwright migrate', () => {
  test.each(['directly', 'through PgBouncer'])(
    '%s: shows what would be done, does it, and shows that it is done',
    async (way) => {
      const direct = await newDatabase()
      if (way !== 'directly' && 'missing' in found) return
      const settings = await newSettings(way === 'directly' || 'missing' in found ? direct : found.through(direct))
      const plan = await runCommand(['migrate', '--plan'], settings)
      expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('CREATE TABLE payments')])
      expect(await queryPostgres(direct, "SELECT 1 FROM pg_class WHERE relname = 'payments'")).toEqual([])
      const done = await runCommand(['migrate'], settings)
      expect([done.code, done.err, done.out]).toEqual([0, '', expect.stringMatching(/0001-baseline +expand +done/)])
      expect((await runCommand(['migrate', '--plan'], settings)).out).toBe('Nothing is to be done.\n')

      // The steps of a later release: columns, an index that is made concurrently, a fill, and a removal.
      const schema = await manageSchema(readConfig(settings), seriesOf('after'))
      const { steps } = await schema.migrate({ info() {}, error() {}, fatal() {} }).finally(() => schema.close())
      expect(steps.map(({ state }) => state)).toEqual(seriesOf('after').map(() => 'done'))
      const refused = await runCommand(['migrate'], settings)
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringMatching(/changed for schema \d and later, and this version knows/),
      ])
      expect(refused.err.trim().split('\n')).toHaveLength(1)
    },
  )
})
