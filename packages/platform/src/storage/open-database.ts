import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/**
 * Opens the platform's database and brings its tables up to date.
 *
 * @param options `url`: `postgres://` or `postgresql://`; without one the database is `tillwright.db` in `folder`, which
 *   is created if need be.
 * @throws {TypeError} If the URL is of another kind.
 * @throws {DatabaseInUse} {UnsafeDatabase} {DatabaseTooNew} {DatabaseUnavailable}
 */
export async function openDatabase({ url, folder }: { url?: string; folder: string }): Promise<Database> {
  const database = url === undefined ? await openFile(folder) : await openServer(postgresUrl(url))
  try {
    await migrate(database, migrations)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openFile(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true })
  return openSqlite({ file: join(folder, 'tillwright.db') })
}

/** The driver is loaded only where it is used: it would cost every embedded platform memory and time. */
async function openServer(url: string): Promise<Database> {
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres({ url })
}

/** Its password must not get into a message. */
function postgresUrl(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw new TypeError('The database URL has to begin with postgres:// or postgresql://.')
}
