import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import { link } from './connection.ts'
import { readDatabaseUrl } from './database-url.ts'
import { hostsOf } from './hosts.ts'

const server = inject('postgresUrl')

describe.skipIf(server === null)('PostgreSQL', () => {
  test('a plan that was made for an almost empty table is made anew when the connection has worked for a while', async () => {
    const serverUrl = server ?? ''
    const url = await createDatabase(serverUrl)
    const connection = link(hostsOf(readDatabaseUrl(url, { setting: 'DATABASE_URL', role: 'primary' })), 'write')
    onTestFinished(async () => {
      await connection.close()
      await dropDatabase(serverUrl, url)
    })
    const run = async (text: string) => {
      const result = await connection.run([{ name: '', text, params: [] }], Infinity)
      if (result.outcome === 'failed') throw result.error
      return result.answers[0]?.lines.join('\n')
    }
    const look = { name: 'look', text: `SELECT n FROM t WHERE account = 'a' AND id = $1`, params: ['1'] }
    const plan = () => run(`EXPLAIN EXECUTE look('1')`)

    await run('CREATE TABLE t (account TEXT, id TEXT, n BIGINT) WITH (autovacuum_enabled = off)')
    await run('CREATE INDEX t_by_id ON t (account, id)')
    await run('CREATE INDEX t_by_account ON t (account)')
    await run('ANALYZE t')
    await run(`INSERT INTO t VALUES ('a', '1', 1)`)
    for (let i = 0; i < 10; i++) await connection.run([look], Infinity)
    await run(`INSERT INTO t SELECT 'a', CAST(n AS TEXT), n FROM generate_series(2, 5000) AS n`)
    expect(await plan()).toContain('t_by_account')
    for (let i = 0; i < 90; i++) await connection.run([look], Infinity)
    expect(await plan()).toContain('t_by_id')
  })
})
