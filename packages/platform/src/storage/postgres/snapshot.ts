import type pg from 'pg'
import { type DescribedTable, lineOf, LINES_AT_ONCE, type Loader, type Snapshot } from '../snapshot.ts'
import { inWordsOf } from '../statements.ts'
import { columnReader } from './batch.ts'
import { readDatabaseUrl } from './database-url.ts'
import { hostsOf } from './hosts.ts'
import { connectToPrimary } from './schema-connection.ts'

const connect = (url: string): Promise<pg.Client> =>
  connectToPrimary(hostsOf(readDatabaseUrl(url, { setting: 'DATABASE_URL', role: 'primary' })))

/** Opens a snapshot: one transaction that sees what was committed when it began, through a pooler too. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connect(url)
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query('SET LOCAL statement_timeout = 0')
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
  await client.query('SELECT count(*) FROM pg_catalog.pg_class WHERE false') // the moment is that of the first read
  return {
    engine: 'postgres',
    tables: () => describeAll(client),
    async *lines(table) {
      const line = lineOf(table, (column) => `to_json(${column})::text`)
      const select = `SELECT ${line} AS line FROM ${table.name} ORDER BY ${table.key.join(', ')}`
      await client.query(`DECLARE backup NO SCROLL CURSOR FOR ${select}`)
      for (;;) {
        const { rows } = await client.query<{ line: string }>(`FETCH ${LINES_AT_ONCE} FROM backup`)
        if (rows.length > 0) yield rows.map((row) => row.line)
        if (rows.length < LINES_AT_ONCE) break
      }
      await client.query('CLOSE backup')
    },
    rows: async (text) => (await client.query({ text, types: { getTypeParser: columnReader } })).rows,
    close: () => client.end(),
  }
}

async function describeAll(client: pg.Client): Promise<DescribedTable[]> {
  const { rows } = await client.query<{ name: string; columns: DescribedTable['columns']; key: string[] }>(selectTables)
  return rows
}

const selectTables = `SELECT c.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname,
        'type', CASE WHEN a.atttypid = 'int8'::regtype THEN 'int' ELSE 'text' END, 'required', a.attnotnull) ORDER BY a.attnum)
      FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT json_agg(a.attname ORDER BY k.at)
      FROM pg_catalog.pg_index i, unnest(i.indkey::int[]) WITH ORDINALITY AS k(attnum, at), pg_catalog.pg_attribute a
      WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.attnum) AS key
  FROM pg_catalog.pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY c.relname COLLATE "C"`

/** Opens a database to be filled. */
export async function openLoader(url: string): Promise<Loader> {
  const client = await connect(url)
  async function together(work: () => Promise<void>): Promise<void> {
    await client.query('BEGIN')
    try {
      await client.query('SET LOCAL statement_timeout = 0')
      await work()
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
  }
  return {
    async hasTable(name) {
      const { rows } = await client.query('SELECT to_regclass($1)::text AS found', [name])
      return rows[0]?.found !== null
    },
    load: ({ name, columns }, lines) =>
      together(async () => {
        const values = columns.map(({ type }, at) => (type === 'int' ? `(value->>${at})::bigint` : `value->>${at}`))
        const into = `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')})`
        await client.query(`${into} SELECT ${values.join(', ')} FROM jsonb_array_elements($1::jsonb)`, [
          `[${lines.join()}]`,
        ])
      }),
    run: (statements) =>
      together(async () => {
        for (const sql of statements) await client.query(inWordsOf('postgres', sql))
      }),
    close: () => client.end(),
  }
}

/** Makes an empty database next to the given one. */
export async function createDatabaseBeside(
  url: string,
  name: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  await once(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => once(url, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function once(url: string, sql: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
