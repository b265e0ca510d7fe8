import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { PlatformKeys } from '../../platform-keys.ts'
import { holdForgotten } from '../../renewals/index.ts'
import { systemClock } from '../../runtime/index.ts'
import {
  type Blobs,
  databaseBeside,
  type DatabasePlace,
  fileBlobs,
  fillDatabase,
  type Migration,
  migrations,
  noteProof,
  openBlobs,
  openDatabase,
  openSnapshot,
  refuseUsed,
  schemaOf,
} from '../../storage/index.ts'
import { ledgerIn, noteIn } from './backup.ts'
import { keysFor, openACard } from './backup-keys.ts'
import { eraseAgain, type LaterErasures, laterErasures } from './later-erasures.ts'
import {
  type BackupPlace,
  BackupUnusable,
  findBackup,
  type Manifest,
  readManifest,
  syncFolder,
  type TableInBackup,
} from './manifest.ts'
import { proveRows, readRows } from './rows-files.ts'

/** Result of a restore, or of the proof that one would succeed. */
export interface RestoreReport {
  folder: string
  takenAt: string
  engine: 'sqlite' | 'postgres'
  rows: number
  payments: number
  blobs: number
  /** Blobs that were missing when the backup was taken. */
  missingBlobs: readonly string[]
  /** Whether a card was opened with the keys of this configuration; `null` without any card. */
  openedCard: boolean | null
  /** Customers who were erased after the backup, and are again by the first platform that starts on it. */
  erasedAgain: number
  /** ISO 8601: until when all erasures are known. Whoever was erased later, and is in no file that was named, is back. */
  erasuresKnownUntil: string
  /** Renewals that are due and may have been charged after the backup: they wait for a day, until then (ISO 8601). */
  heldRenewals: number
  renewalsHeldUntil: string
  /** Whether it was restored to stay, or aside to be proved. */
  isProof: boolean
}

/**
 * Restores a backup into the place of this configuration, which has to be empty. Everything is proved on the way: each
 * row by the digest of its table, the ledger by its sums, each file by its hash, the keys by their ids and by opening a card.
 *
 * @param options `erasures`: a file of erasures that the backups do not know of. `extraTables`: tables besides the
 *   platform's own, such as the simulator's: `CREATE ... IF NOT EXISTS`, in migration syntax.
 * @throws {BackupUnusable} {DatabaseNotEmpty} Nothing was changed, or nothing that a platform would start on.
 */
export async function restoreBackup(
  config: Config,
  from: string,
  { extraTables = [], erasures = null }: { extraTables?: readonly string[]; erasures?: string | null } = {},
): Promise<RestoreReport> {
  const chosen = await usable(from, extraTables)
  const { place, manifest } = chosen
  const database = databaseOf(config)
  if (config.databaseUrl === undefined) refuseUsed(config.home) // a server's database is refused when it is filled
  const keys = await keysFor(manifest, config)
  const later = await laterErasures(place, erasures)
  const source = fileBlobs(place.blobs)
  await proveBlobs(manifest, source)
  const target = await openBlobs(config, systemClock)
  for (const { sha256 } of manifest.blobs) {
    if (!(await target.has(sha256))) await target.put(sha256, (await source.get(sha256)) ?? missing(sha256))
  }
  const restoring = { ...chosen, keys, later }
  const report =
    config.databaseUrl === undefined ? await fillFile(config.home, restoring) : await fillAndProve(database, restoring)
  return { ...report, isProof: false }
}

/** The file gets its place when it is proved and later erasures are begun: a platform that finds it there would start on it. */
async function fillFile(home: string, restoring: Restoring): Promise<Omit<RestoreReport, 'isProof'>> {
  const folder = join(home, 'restoring')
  await rm(folder, { recursive: true, force: true }) // of a restore that was killed
  try {
    const report = await fillAndProve({ folder }, restoring)
    await rename(join(folder, 'tillwright.db'), join(home, 'tillwright.db'))
    await syncFolder(home)
    return report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What must not begin as if nothing had been since the backup. */
async function settleLater(database: DatabasePlace, { erasures }: LaterErasures) {
  const db = await openDatabase(database)
  try {
    const erasedAgain = await eraseAgain(erasures, db)
    const { held, untilMs } = await holdForgotten(db, systemClock.machineNow())
    return { erasedAgain, heldRenewals: held, renewalsHeldUntil: new Date(untilMs).toISOString() }
  } finally {
    await db.close()
  }
}

/**
 * Restores a backup aside, proves it as `restoreBackup` does, and removes it again. Starts no workers: nothing is charged or
 * delivered from it. The time is also recorded in the backed-up database, if that exists.
 */
export async function verifyBackup(
  config: Config,
  from: string,
  { extraTables = [], erasures = null }: { extraTables?: readonly string[]; erasures?: string | null } = {},
): Promise<RestoreReport> {
  const chosen = await usable(from, extraTables)
  const { place, manifest } = chosen
  const keys = await keysFor(manifest, config)
  const later = await laterErasures(place, erasures)
  await proveBlobs(manifest, fileBlobs(place.blobs))
  const aside = await placeAside(config)
  let report: RestoreReport
  try {
    report = { ...(await fillAndProve(aside.database, { ...chosen, keys, later })), isProof: true }
  } finally {
    await aside.remove()
  }
  // The backup may be proved far from its database, or after it has been lost.
  await noteIn(databaseOf(config), (db) => noteProof(db, Date.parse(manifest.takenAt), systemClock.machineNow()))
  return report
}

const databaseOf = ({ home, databaseUrl }: Config): DatabasePlace => ({
  folder: home,
  ...(databaseUrl !== undefined && { url: databaseUrl }),
})

interface Chosen {
  place: BackupPlace
  manifest: Manifest
  extraTables: readonly string[]
}

async function usable(from: string, extraTables: readonly string[]): Promise<Chosen> {
  const place = await findBackup(resolve(from))
  const manifest = await readManifest(place)
  const mine = schemaOf(migrations)
  if (manifest.schema.number > mine) {
    // Also of one that this version has taken: of a database from which one has gone back.
    const goesBack = manifest.schema.oldest <= mine ? ' This version can be started on what is restored.' : ''
    throw new BackupUnusable(
      `The backup is of a database that a newer version has brought to schema ${manifest.schema.number}, and this version ` +
        `knows schema ${mine}: restore it with that version or a later one.${goesBack}`,
    )
  }
  const unbalanced = manifest.ledger.filter(({ sum }) => sum !== 0)
  if (unbalanced.length > 0) {
    const names = unbalanced.map(({ currency }) => currency).join(', ')
    throw new BackupUnusable(`The ledger of the backup does not sum to zero in ${names}; do not restore it unexamined.`)
  }
  return { place, manifest, extraTables }
}

async function proveBlobs(manifest: Manifest, source: Blobs): Promise<void> {
  const bad: string[] = []
  for (const { sha256 } of manifest.blobs) {
    const bytes = await source.get(sha256).catch(() => null)
    if (bytes === null) bad.push(sha256)
  }
  if (bad.length === 0) return
  throw new BackupUnusable(
    `${bad.length} of ${manifest.blobs.length} files of plugins are missing or altered in the backup, such as ${bad[0]}. ` +
      'Nothing was restored. Bring its folder "blobs" back, or take another backup: it copies what is missing.',
  )
}

function missing(sha256: string): never {
  throw new BackupUnusable(`The file ${sha256} has gone from the backup.`)
}

/** The steps that had been taken when the backup was; later ones come when the platform starts. */
function stepsOf({ schema: { steps } }: Manifest): readonly Migration[] {
  const taken = new Map(steps.map(({ id, state, actions }) => [id, { state, actions }]))
  const known = migrations.filter(
    ({ id, phase }) => taken.has(id) && (phase !== 'contract' || taken.get(id)?.state === 'done'),
  )
  // A series without gaps: a contraction that was waiting ends it.
  return known.filter((_, at) => known[at]?.id === migrations[at]?.id)
}

async function fill(database: DatabasePlace, { place, manifest, extraTables }: Chosen): Promise<void> {
  await fillDatabase(database, {
    migrations: stepsOf(manifest),
    async load(loader) {
      await loader.run(extraTables)
      for (const table of manifest.tables) {
        if (!(await loader.hasTable(table.name))) await loader.run([createTable(table)])
        for await (const lines of readRows(place.folder, table)) await loader.load(table, lines)
      }
      await loader.run(schemaStatements(manifest))
    },
  })
}

/** A table that neither the platform nor the simulator makes; its names were checked with the manifest. */
function createTable({ name, columns, key }: TableInBackup): string {
  const parts = columns.map((column) => `${column.name} {${column.type}}${column.required ? ' NOT NULL' : ''}`)
  return `CREATE TABLE ${name} (${parts.join(', ')}, PRIMARY KEY (${key.join(', ')})) {strict}`
}

/** The state of the schema as it was, at last: from here on a platform starts. */
function schemaStatements({ schema: { oldest, steps } }: Manifest): string[] {
  const rows = steps.map(
    ({ id, state, actions, freeSince }) => `('${id}', '${state}', ${actions}, 0, ${freeSince ?? 'NULL'})`,
  )
  return [
    'DELETE FROM migrations',
    `INSERT INTO migrations (id, state, actions, filled, free_since) VALUES ${rows.join(', ')}`,
    `UPDATE schema_state SET oldest = ${oldest}, holder = NULL`,
  ]
}

/** Proves each row by the digest of its table, and the ledger by its sums. */
async function proveDatabase(database: DatabasePlace, { manifest }: Chosen): Promise<void> {
  const snapshot = await openSnapshot(database)
  try {
    for (const table of manifest.tables) {
      const { rows, sha256 } = await proveRows(table, snapshot)
      if (rows === table.rows && sha256 === table.sha256) continue
      throw new BackupUnusable(`The rows of ${table.name} are not those that were backed up: use another backup.`)
    }
    if (JSON.stringify(await ledgerIn(snapshot)) !== JSON.stringify(manifest.ledger)) {
      throw new BackupUnusable('The sums of the ledger are not those that were backed up: use another backup.')
    }
  } finally {
    await snapshot.close()
  }
}

interface Restoring extends Chosen {
  keys: PlatformKeys
  later: LaterErasures
}

/** Fills an empty database and proves what is in it. Later erasures come before what may still go wrong: a platform could start on it. */
async function fillAndProve(
  database: DatabasePlace,
  { keys, later, ...chosen }: Restoring,
): Promise<Omit<RestoreReport, 'isProof'>> {
  const { place, manifest } = chosen
  await fill(database, chosen)
  await proveDatabase(database, chosen)
  const settled = await settleLater(database, later)
  return {
    folder: place.folder,
    takenAt: manifest.takenAt,
    engine: database.url === undefined ? 'sqlite' : 'postgres',
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    payments: manifest.tables.find(({ name }) => name === 'payments')?.rows ?? 0,
    blobs: manifest.blobs.length,
    missingBlobs: manifest.missingBlobs,
    openedCard: await openACard(database, keys),
    ...settled,
    erasuresKnownUntil: later.knownUntil,
  }
}

interface Aside {
  database: DatabasePlace
  remove: () => Promise<void>
}

/** A database on the same server where the role may make one; otherwise, and without a server, a file in a folder. */
async function placeAside({ databaseUrl }: Config): Promise<Aside> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-verify-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (databaseUrl !== undefined) {
    const beside = await databaseBeside(databaseUrl, `tillwright_verify_${randomBytes(6).toString('hex')}`).catch(
      () => null,
    )
    if (beside !== null) {
      const remove = async () => {
        await beside.drop()
        await removeFolder()
      }
      return { database: { folder, url: beside.url }, remove }
    }
  }
  return { database: { folder }, remove: removeFolder }
}
