import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openSqlite } from '../src/storage/sqlite/open-sqlite.ts'
import { openPostgres } from '../src/storage/postgres/open-postgres.ts'
import { migrate } from '../src/storage/migrate.ts'

/** The floor: the same framework and the same engine with one insert or one read, and nothing else. */
const { DATABASE_URL: url, TILLWRIGHT_HOME: home = '', TILLWRIGHT_PORT: port } = process.env
const db = url ? await openPostgres({ url }) : await openSqlite({ file: `${home}/floor.db` })
await migrate(db, [
  { id: '0001-floor', statements: ['CREATE TABLE items (id {text} PRIMARY KEY, body {text} NOT NULL) {strict}'] },
])

const app = new Hono()
app.get('/healthz', (c) => c.json({ status: 'ok' }))
app.post('/items', async (c) => {
  const body = await c.req.json()
  const id = randomBytes(16).toString('hex')
  await db.write([{ sql: 'INSERT INTO items (id, body) VALUES (?, ?)', params: [id, JSON.stringify(body)] }])
  return c.json({ id }, 201)
})
app.get('/items/:id', async (c) => {
  const [row] = await db.read('SELECT body FROM items WHERE id = ?', [c.req.param('id')])
  return row === undefined ? c.notFound() : c.json(JSON.parse(String(row['body'])))
})
const server = serve({ fetch: app.fetch, hostname: 'localhost', port: Number(port) })
process.once('SIGTERM', () => server.close(() => void db.close()))
