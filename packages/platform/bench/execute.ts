import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Where a platform under measurement keeps its rows: PostgreSQL with a URL, else the embedded file in `home`. */
export interface BenchPlace {
  home: string
  databaseUrl: string | undefined
}

/** Runs statements past the platform, on a connection of their own. */
export async function execute({ home, databaseUrl }: BenchPlace, statements: readonly string[]): Promise<void> {
  if (databaseUrl === undefined) {
    const db = new DatabaseSync(join(home, 'tillwright.db'), { timeout: 60_000 })
    for (const sql of statements) db.exec(sql)
    db.close()
    return
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}
