import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../runtime/index.ts'

/** Thrown when a backup is not whole, was altered, or does not fit. */
export class BackupUnusable extends OperatorError {
  override readonly name = 'BackupUnusable'
}

const name = z.string().regex(/^[a-z_0-9]+$/)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const manifest = z.object({
  format: z.literal(1),
  /** Of the platform that wrote it. */
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The moment that the rows are of, by the clock of the machine that wrote it. */
  takenAt: z.string(),
  /** The newest schema that its rows were written under, and what was done to get there. */
  schema: z.object({
    number: z.number().int(),
    oldest: z.number().int(),
    steps: z.array(
      z.object({
        id: z.string().regex(/^\d{4}-[a-z0-9-]+$/),
        state: z.enum(['running', 'filled', 'done']),
        actions: z.number().int(),
        freeSince: z.number().int().nullable(),
      }),
    ),
  }),
  tables: z.array(
    z.object({
      name,
      columns: z.array(z.object({ name, type: z.enum(['text', 'int']), required: z.boolean() })),
      key: z.array(name),
      rows: z.number().int(),
      /** SHA-256 over its lines, each with its line break. */
      sha256,
    }),
  ),
  /** The ledger's entries by currency; each has to sum to zero. */
  ledger: z.array(z.object({ currency: z.string(), entries: z.number().int(), sum: z.number().int() })),
  blobs: z.array(z.object({ sha256, size: z.number().int() })),
  /** Blobs that the store did not have, or only damaged, when the backup was taken. */
  missingBlobs: z.array(sha256),
  /** The ids of the keys that the encrypted columns need. The keys themselves are in no backup. */
  keys: z.array(z.object({ table: name, column: name, ids: z.array(z.string()) })),
})

/** Contents of a backup, with the counts and digests that prove them. */
export type Manifest = z.infer<typeof manifest>
export type TableInBackup = Manifest['tables'][number]

const FILE = 'manifest.json'

/** Writes the manifest: last, and at once. A folder without one is no backup. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const unfinished = join(folder, `${FILE}.new`)
  const handle = await open(unfinished, 'w', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, join(folder, FILE))
  await syncFolder(folder)
}

/** Makes the entries of a folder durable. Windows has no such call and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A backup on disk. */
export interface BackupPlace {
  /** With the manifest and the rows. */
  folder: string
  /** The folder of blobs, which all backups in one place share. */
  blobs: string
}

/** Where backups stand below the folder that `--to` names. */
export const placesIn = (to: string, stamp: string): BackupPlace => ({
  folder: join(to, 'backups', stamp),
  blobs: join(to, 'blobs'),
})

/**
 * Finds the backup that `--from` names: the folder of one, or the folder of several, of which it is the newest whole one.
 *
 * @throws {BackupUnusable}
 */
export async function findBackup(from: string): Promise<BackupPlace> {
  const isOne = await readFile(join(from, FILE)).then(
    () => true,
    () => false,
  )
  if (isOne) return { folder: from, blobs: join(from, '..', '..', 'blobs') }
  const stamps: string[] = await readdir(join(from, 'backups')).catch(() => [])
  for (const stamp of stamps.toSorted().toReversed()) {
    const place = placesIn(from, stamp)
    if (await isWhole(place)) return place
  }
  const remedy = 'Name the folder that was given to "tillwright backup --to", or one below its "backups".'
  const found = stamps.length === 0 ? 'There is no backup' : 'There are only unfinished backups, without a manifest,'
  throw new BackupUnusable(`${found} in ${from}. ${remedy}`)
}

async function isWhole({ folder }: BackupPlace): Promise<boolean> {
  const names: string[] = await readdir(folder).catch(() => [])
  return names.includes(FILE)
}

/** Names of folders of backups: the moment that each is of. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/**
 * Deletes backups that are older than the newest whole ones, and what unfinished ones have left from before these. Files of
 * plugins stay, and so does what a link leads to.
 *
 * @param to The folder of several.
 * @param keep How many whole ones stay.
 * @returns The folders that are gone.
 */
export async function deleteOlder(to: string, keep: number): Promise<string[]> {
  const entries = await readdir(join(to, 'backups'), { withFileTypes: true })
  const stamps = entries.filter((entry) => entry.isDirectory() && STAMP.test(entry.name)).map((entry) => entry.name)
  const places = stamps.toSorted().map((stamp) => placesIn(to, stamp))
  const wholes = await Promise.all(places.map(isWhole))
  const oldest = places.filter((_, at) => wholes[at]).at(-keep)
  const older = oldest === undefined ? [] : places.slice(0, places.indexOf(oldest))
  for (const { folder } of older) {
    await rm(join(folder, FILE), { force: true }) // what is half deleted is no backup
    await rm(folder, { recursive: true, force: true })
  }
  return older.map(({ folder }) => folder)
}

/** @throws {BackupUnusable} If the manifest is damaged or of a later form. */
export async function readManifest({ folder }: BackupPlace): Promise<Manifest> {
  const file = join(folder, FILE)
  const text = await readFile(file, 'utf8')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new BackupUnusable(`${file} is damaged: it is not JSON.`)
  }
  const read = manifest.safeParse(content)
  if (read.success) return read.data
  const { path = [], message = '' } = read.error.issues[0] ?? {}
  throw new BackupUnusable(
    `${file} is damaged or was written by a newer version of tillwright (${path.join('.')}: ${message}).`,
  )
}

/** Removes a backup that was not finished. */
export const removeUnfinished = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })
