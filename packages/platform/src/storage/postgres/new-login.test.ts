import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, queryPostgres } from '../../../../../.ci/postgres-database.ts'
import { postgresTls } from '../../../../../.ci/postgres-tls.ts'
import { startPostgres } from '../../../../../.ci/postgres.ts'
import { snippetsRunBy } from '../../../../../.ci/snippets/read-snippets.ts'
import { channelTls, hasOpenssl } from '../../../test/channel-files.ts'
import { openDatabase } from '../open-database.ts'

test.skipIf(inject('postgresUrl') === null || !hasOpenssl)(
  'a new login works on the tables while the former one does, and goes on when that is taken away',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'new-login-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
    const server = await startPostgres({
      settings: await postgresTls({ ...channelTls(join(folder, 'certificate')), rules }),
    })
    if ('missing' in server) throw new Error(server.missing)
    onTestFinished(() => server.stop())
    const database = await createDatabase(server.url)
    const query = (sql: string) => queryPostgres(database, sql)
    await query(`CREATE ROLE tillwright LOGIN PASSWORD 'secret'`)
    await query(`ALTER DATABASE ${new URL(database).pathname.slice(1)} OWNER TO tillwright`)
    const logIn = (user: string, password: string) => {
      const url = Object.assign(new URL(database), { username: user, password })
      return openDatabase({ url: url.href, folder })
    }
    const former = await logIn('tillwright', 'secret')
    onTestFinished(() => former.close())
    const note = (id: number) => ({
      sql: `INSERT INTO last_backup (id, taken_at, version, missing_blobs) VALUES (?, 0, '', 0)`,
      params: [id],
    })
    expect(await former.write([note(11)])).toMatchObject({ outcome: 'committed' })

    // The lines of the page about PostgreSQL.
    for (const statement of (snippetsRunBy('new-login')[0]?.code ?? '').trim().split('\n')) await query(statement)
    const next = await logIn('tillwright_2', 'new secret')
    onTestFinished(() => next.close())
    expect(await next.write([note(12)])).toMatchObject({ outcome: 'committed' })
    expect(await former.write([note(13)])).toMatchObject({ outcome: 'committed' })
    await former.close()
    await query('ALTER ROLE tillwright NOLOGIN')
    await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tillwright_2'`)
    // What was under way on a connection that broke may have to be asked again.
    await expect.poll(() => next.write([note(14)]).catch(() => null)).toMatchObject({ outcome: 'committed' })
    await expect(logIn('tillwright', 'secret')).rejects.toThrow(/not permitted to log in/)
    // What it makes belongs to the role, so that the next login may change it.
    const third = await logIn('tillwright_2', 'new secret')
    onTestFinished(() => third.close())
    expect(await third.read('SELECT current_user AS name', [])).toEqual([{ name: 'tillwright' }])
  },
)
