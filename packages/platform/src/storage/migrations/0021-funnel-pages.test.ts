import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import type { Statement } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openPostgres } from '../postgres/open-postgres.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { funnels } from './0004-funnels.ts'
import { funnelPages } from './0021-funnel-pages.ts'

const server = inject('postgresUrl')

describe.each(server === null ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (engine) => {
  test('the pages of funnels that were there before are put down, of active ones and for buyers alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pages-'))
    const url = engine === 'sqlite' || server === null ? null : await createDatabase(server)
    const db = url === null ? await openSqlite({ file: join(folder, 'pages.db') }) : await openPostgres({ url })
    onTestFinished(async () => {
      await db.close()
      await rm(folder, { recursive: true })
      if (server !== null && url !== null) await dropDatabase(server, url)
    })
    await migrate(db, [funnels])
    const steps = [
      { id: 'a', pluginId: 'plugin', pageId: 'pay', previewOnly: false, settings: { active: true } },
      { id: 'b', pluginId: null, pageId: null, previewOnly: false },
      { id: 'c', pluginId: 'plugin', pageId: null, previewOnly: false },
      { id: 'd', pluginId: 'plugin', pageId: 'pay', previewOnly: true },
    ]
    await db.write([funnel('one', { active: true, steps }), funnel('two', { active: false, steps })])
    await migrate(db, [funnels, funnelPages])
    const rows = await db.read(
      'SELECT funnel_id, step_id, store_id, plugin_id, page_id, created_at FROM funnel_pages ORDER BY rank DESC',
      [],
    )
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['one', 'a', 'store_1', 'plugin', 'pay', 7],
      ['one', 'c', 'store_1', 'plugin', '', 7],
    ])
  })
})

function funnel(id: string, resource: object): Statement {
  return {
    sql: `INSERT INTO funnels (account_id, id, store_id, revision, resource, created_at)
      VALUES ('acc_1', ?, 'store_1', 1, ?, 7)`,
    params: [id, JSON.stringify(resource)],
  }
}
