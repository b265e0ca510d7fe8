import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { makeFolder, OperatorError, systemClock } from '../../runtime/index.ts'
import {
  type Blobs,
  BlobsUnavailable,
  type Database,
  type DatabasePlace,
  type DescribedTable,
  fileBlobs,
  int,
  noteBackup,
  nullable,
  oneOf,
  openBlobs,
  openDatabaseBeside,
  openSnapshot,
  refuseIncomplete,
  rowReader,
  type Snapshot,
  text,
} from '../../storage/index.ts'
import { platformVersion } from '../../version.ts'
import {
  deleteOlder,
  type Manifest,
  placesIn,
  removeUnfinished,
  syncFolder,
  type TableInBackup,
  writeManifest,
} from './manifest.ts'
import { writeRows } from './rows-files.ts'

/**
 * Tables that mean nothing in another place or at another time: who is alive, security codes that wait for their payment
 * and must not outlive it, who is signed in and may have been signed out since, when this database was last backed up, and
 * the state of the schema, which the manifest has.
 */
const LEFT_OUT = new Set([
  'processes',
  'shared_time',
  'security_codes',
  'code_recipients',
  'code_key_wraps',
  'member_sessions',
  'sign_in_ceremonies',
  'migrations',
  'schema_state',
  'last_backup',
])

/** Result of a backup. */
export interface BackupReport {
  folder: string
  takenAt: string
  rows: number
  payments: number
  blobs: { all: number; copied: number }
  /** Hashes of files of plugins that the store lacks, or has only damaged: no backup can have them. */
  missingBlobs: readonly string[]
  /** Ids of the keys without which a restore is of no use. */
  keyIds: readonly string[]
  /** The folders of older backups that were deleted. */
  deleted: readonly string[]
  /** Whether the database now tells when it was last backed up. `false` if it was lost after its rows had been read. */
  isNoted: boolean
}

/**
 * Copies everything that a platform with this configuration keeps, while it goes on serving, except its keys: rows as they
 * are at one moment, and the files of plugins that are not there yet.
 *
 * @param to A folder for backups: each gets a folder of its own below it, and all share the files of plugins.
 * @param options `keep`: how many whole backups stay there, this one included; all unless given. None is deleted when this one
 *   lacks files of plugins.
 * @throws {OperatorError} If the database cannot be used, or the place cannot take it. Then nothing there looks like a
 *   backup.
 */
export async function takeBackup(
  config: Config,
  to: string,
  { keep }: { keep?: number | undefined } = {},
): Promise<BackupReport> {
  const database = { folder: config.home, ...(config.databaseUrl !== undefined && { url: config.databaseUrl }) }
  refuseIncomplete({ ...database, acceptIncompleteCopy: config.schema.acceptIncompleteCopy })
  await (await openDatabaseBeside(database)).close() // of this version, or refused in its words
  const report = await writeBackup(database, config, to)
  const note = {
    takenAtMs: Date.parse(report.takenAt),
    version: platformVersion,
    missingBlobs: report.missingBlobs.length,
  }
  const isNoted = await noteIn(database, (db) => noteBackup(db, note))
  const deletes = keep !== undefined && report.missingBlobs.length === 0
  return { ...report, isNoted, deleted: deletes ? await deleteOlder(resolve(to), keep) : [] }
}

/** @returns Whether the database was there to take the note. */
export async function noteIn(place: DatabasePlace, note: (db: Database) => Promise<void>): Promise<boolean> {
  try {
    const db = await openDatabaseBeside(place)
    await note(db).finally(() => db.close())
    return true
  } catch (error) {
    if (error instanceof OperatorError) return false
    throw error
  }
}

async function writeBackup(
  database: DatabasePlace,
  config: Config,
  to: string,
): Promise<Omit<BackupReport, 'isNoted' | 'deleted'>> {
  const takenAt = new Date().toISOString()
  const place = placesIn(resolve(to), takenAt.replaceAll(':', '-'))
  const snapshot = await openSnapshot(database)
  await makeFolder(place.folder).catch(async (error: unknown) => {
    await snapshot.close()
    throw inWords(error, place.folder)
  })
  try {
    const tables = await copyRows(place.folder, snapshot)
    const { present, missing, copied } = await copyBlobs(
      await openBlobs(config, systemClock),
      fileBlobs(place.blobs),
      snapshot,
    )
    const manifest: Manifest = {
      format: 1,
      version: platformVersion,
      engine: snapshot.engine,
      takenAt,
      tables,
      schema: await schemaIn(snapshot),
      ledger: await ledgerIn(snapshot),
      blobs: present,
      missingBlobs: missing,
      keys: await keysIn(snapshot, tables),
    }
    await syncFolder(place.folder)
    await writeManifest(place.folder, manifest)
    return {
      folder: place.folder,
      takenAt,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      payments: tables.find(({ name }) => name === 'payments')?.rows ?? 0,
      blobs: { all: present.length, copied },
      missingBlobs: missing,
      keyIds: [...new Set(manifest.keys.flatMap(({ ids }) => ids))],
    }
  } catch (error) {
    await removeUnfinished(place.folder)
    throw inWords(error, place.folder)
  } finally {
    await snapshot.close()
  }
}

async function copyRows(folder: string, snapshot: Snapshot): Promise<TableInBackup[]> {
  const tables: TableInBackup[] = []
  for (const table of await snapshot.tables()) {
    if (LEFT_OUT.has(table.name)) continue
    const { name, columns, key }: DescribedTable = table
    tables.push({ name, columns: [...columns], key: [...key], ...(await writeRows(folder, table, snapshot)) })
  }
  return tables
}

interface CopiedBlobs {
  present: Manifest['blobs']
  missing: string[]
  copied: number
}

const readAssets = rowReader({ sha256: text, size: int })

/** Files never change, so what is there already is left. */
async function copyBlobs(from: Blobs, to: Blobs, snapshot: Snapshot): Promise<CopiedBlobs> {
  const known = readAssets(
    await snapshot.rows('SELECT sha256, MAX(size) AS size FROM plugin_assets GROUP BY sha256 ORDER BY sha256'),
  )
  const result: CopiedBlobs = { present: [], missing: [], copied: 0 }
  for (const { sha256, size } of known) {
    if (!(await to.has(sha256))) {
      const bytes = await readWhole(from, sha256)
      if (bytes === null) {
        result.missing.push(sha256)
        continue
      }
      await to.put(sha256, bytes)
      result.copied += 1
    }
    result.present.push({ sha256, size })
  }
  return result
}

async function readWhole(blobs: Blobs, sha256: string): Promise<Uint8Array | null> {
  try {
    return await blobs.get(sha256)
  } catch (error) {
    if (error instanceof BlobsUnavailable && error.message.includes('damaged')) return null
    throw error
  }
}

const readState = rowReader({ oldest: int })
const readSteps = rowReader({
  id: text,
  state: oneOf(['running', 'filled', 'done']),
  actions: int,
  free_since: nullable(int),
})

async function schemaIn(snapshot: Snapshot): Promise<Manifest['schema']> {
  const [state] = readState(await snapshot.rows('SELECT oldest FROM schema_state WHERE id = 1'))
  const rows = readSteps(await snapshot.rows('SELECT id, state, actions, free_since FROM migrations ORDER BY id'))
  const steps = rows.map(({ free_since: freeSince, ...step }) => ({ ...step, freeSince }))
  const number = Math.max(0, ...steps.map(({ id }) => Number(id.slice(0, 4))))
  return { number, oldest: state?.oldest ?? 0, steps }
}

const readSums = rowReader({ currency: text, entries: int, total: int })

/** The ledger's sums by currency, as a manifest has them. */
export async function ledgerIn(snapshot: Snapshot): Promise<Manifest['ledger']> {
  const rows = await snapshot.rows(
    'SELECT currency, count(*) AS entries, SUM(amount) AS total FROM ledger_entries GROUP BY currency ORDER BY currency',
  )
  return readSums(rows).map(({ total: sum, ...books }) => ({ ...books, sum }))
}

const readIds = rowReader({ id: text })

/** Columns that name the key under which another column is encrypted. */
const KEY_COLUMN = /^(master|wrapping|data)_key_id$/

async function keysIn(snapshot: Snapshot, tables: readonly TableInBackup[]): Promise<Manifest['keys']> {
  const keys: Manifest['keys'] = []
  for (const { name: table, columns } of tables) {
    for (const { name: column } of columns.filter(({ name }) => KEY_COLUMN.test(name))) {
      const rows = await snapshot.rows(
        `SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL ORDER BY id`,
      )
      keys.push({ table, column, ids: readIds(rows).map(({ id }) => id) })
    }
  }
  return keys
}

/** A full disk and the like, in words that say that there is no backup. */
function inWords(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  const reasons: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'the folder may not be written',
    EROFS: 'the disk is read-only',
    EPERM: 'the folder may not be written',
    ENOENT: 'no folder can be made there',
    EEXIST: 'a file is where a folder should be',
    ENOTDIR: 'a file is where a folder should be',
  }
  const reason = reasons[String(error.code)]
  return reason === undefined
    ? error
    : new OperatorError(`No backup was written to ${folder}: ${reason}.`, { cause: error })
}
