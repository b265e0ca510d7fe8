import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, OperatorError } from '../runtime/index.ts'
import { migrate } from './migrate.ts'
import { DatabaseEmpty, type Migration } from './migration.ts'
import type { DatabasePlace } from './open-database.ts'
import { UNFINISHED } from './schema-state.ts'
import type { Loader, Snapshot } from './snapshot.ts'
import { openSqliteBeside, refuseIncompleteCopy } from './sqlite/index.ts'
import * as sqlite from './sqlite/snapshot.ts'

/** Thrown when a database is to be filled that is not empty. */
export class DatabaseNotEmpty extends OperatorError {
  override readonly name = 'DatabaseNotEmpty'
}

const fileIn = (folder: string) => join(folder, 'tillwright.db')

/**
 * Refuses a file that was copied without its log, unless that is accepted: a backup of it would look whole.
 *
 * @throws {IncompleteCopy}
 */
export function refuseIncomplete({ url, folder, acceptIncompleteCopy = false }: DatabasePlace): void {
  if (url === undefined && !acceptIncompleteCopy) refuseIncompleteCopy(fileIn(folder))
}

/**
 * Opens a snapshot of a database, whether or not a platform is using it.
 *
 * @throws {DatabaseEmpty} {DatabaseUnavailable}
 */
export async function openSnapshot({ url, folder }: DatabasePlace): Promise<Snapshot> {
  if (url !== undefined) return (await import('./postgres/snapshot.ts')).openSnapshot(url)
  if (!existsSync(fileIn(folder))) throw new DatabaseEmpty(`There is no database ${fileIn(folder)}.`)
  return sqlite.openSnapshot(fileIn(folder))
}

/** Content for an empty database. */
export interface Filling {
  /** The steps of the schema that the rows were written under. */
  migrations: readonly Migration[]
  load: (loader: Loader) => Promise<void>
}

/**
 * Fills a database that is empty: with tables first, then with rows. A file appears under its name only when it is whole;
 * a server's database opens only then.
 *
 * @throws {DatabaseNotEmpty} Nothing was touched.
 */
export async function fillDatabase(place: DatabasePlace, filling: Filling): Promise<void> {
  return place.url === undefined ? fillFile(place.folder, filling) : fillServer(place.url, filling)
}

/**
 * Refuses a folder that has a database or what a killed platform has left of one: SQLite would take a log that lies beside a
 * file of its name for that file's own, and write the pages of one database into another.
 *
 * @throws {DatabaseNotEmpty}
 */
export function refuseUsed(folder: string): void {
  const left = ['', '-wal', '.run'].map((end) => `${fileIn(folder)}${end}`).find(existsSync)
  if (left === undefined) return
  throw new DatabaseNotEmpty(
    `${left} is there already: restore into an empty folder, named by TILLWRIGHT_HOME, or move everything that is called tillwright.db away.`,
  )
}

async function fillFile(folder: string, { migrations, load }: Filling): Promise<void> {
  refuseUsed(folder)
  const file = fileIn(folder)
  await makeFolder(folder)
  const unfinished = `${file}.restoring`
  const remove = () => Promise.all(['', '-wal', '-shm'].map((end) => rm(`${unfinished}${end}`, { force: true })))
  await remove() // of a restore that was killed
  try {
    const database = await openSqliteBeside({ file: unfinished })
    await migrate(database, migrations).finally(() => database.close())
    const loader = sqlite.openLoader(unfinished)
    await load(loader).catch(async (error: unknown) => {
      await loader.close().catch(() => {})
      throw error
    })
    await loader.close()
    await sync(unfinished)
    await rename(unfinished, file)
    if (process.platform !== 'win32') await sync(folder)
  } finally {
    await remove()
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function fillServer(url: string, { migrations, load }: Filling): Promise<void> {
  const [{ openPostgres }, postgres] = await Promise.all([
    import('./postgres/open-postgres.ts'),
    import('./postgres/snapshot.ts'),
  ])
  const loader = await postgres.openLoader(url)
  try {
    const snapshot = await postgres.openSnapshot(url)
    const tables = await snapshot.tables().finally(() => snapshot.close())
    if (tables.length > 0) {
      throw new DatabaseNotEmpty(
        'The database of DATABASE_URL is not empty: restore into a new one, or drop it and create it again.',
      )
    }
    const database = await openPostgres({ url })
    await migrate(database, migrations).finally(() => database.close())
    await loader.run([`UPDATE schema_state SET oldest = ${UNFINISHED}`])
    await load(loader)
  } finally {
    await loader.close()
  }
}

/** Makes an empty database for a while next to the one of a server. */
export async function databaseBeside(url: string, name: string): Promise<{ url: string; drop: () => Promise<void> }> {
  return (await import('./postgres/snapshot.ts')).createDatabaseBeside(url, name)
}
