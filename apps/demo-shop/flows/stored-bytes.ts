import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Something that was written down, and where. */
export interface Stored {
  where: string
  bytes: Buffer
}

/** Every file of a folder and of those in it. A file that goes away meanwhile is left out. */
export async function storedFiles(folder: string): Promise<Stored[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found = await Promise.all(
    files.map(async (where) => ({ where, bytes: await readFile(where).catch(() => null) })),
  )
  return found.flatMap(({ where, bytes }) => (bytes === null ? [] : [{ where, bytes }]))
}

/** All rows of a PostgreSQL database as text, and the server's files with its WAL where they are on this machine. */
export async function storedInPostgres(databaseUrl: string): Promise<Stored[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const tables = await client.query(
      `SELECT table_name AS text FROM information_schema.tables WHERE table_schema = 'public'`,
    )
    const rows: Stored[] = []
    for (const { text: table } of tables.rows) {
      const lines = await client.query(`SELECT t::text AS text FROM "${table}" t`)
      rows.push({ where: `the table ${table}`, bytes: Buffer.from(lines.rows.map(({ text }) => text).join('\n')) })
    }
    const folder = (await client.query(`SELECT setting AS text FROM pg_settings WHERE name = 'data_directory'`)).rows[0]
      ?.text
    const files = folder !== undefined && existsSync(folder) ? await storedFiles(folder) : []
    return [...rows, ...files]
  } finally {
    await client.end()
  }
}

/** The part of `pg` used here. */
interface Pg {
  Client: new (options: { connectionString: string }) => {
    connect(): Promise<unknown>
    query(sql: string): Promise<{ rows: { text: string }[] }>
    end(): Promise<void>
  }
}

// The platform lists `pg` among its dependencies, so this is that package.
const pg = createRequire(new URL('../../../packages/platform/package.json', import.meta.url))('pg') as Pg
