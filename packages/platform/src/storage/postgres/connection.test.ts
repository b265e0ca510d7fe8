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
    const look = { name: 'look', text: 'SELECT id FROM t WHERE id = $1', params: ['1'] }
    const plan = () => run(`EXPLAIN EXECUTE look('1')`)

    await run('CREATE TABLE t (id TEXT PRIMARY KEY) WITH (autovacuum_enabled = off)')
    await run(`INSERT INTO t VALUES ('1')`)
    await run('ANALYZE t')
    for (let i = 0; i < 10; i++) await connection.run([look], Infinity)
    await run('INSERT INTO t SELECT CAST(n AS TEXT) FROM generate_series(2, 5000) AS n')
    expect(await plan()).toContain('Seq Scan')
    for (let i = 0; i < 90; i++) await connection.run([look], Infinity)
    expect(await plan()).toContain('t_pkey')
  })
})
