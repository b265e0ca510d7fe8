import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { beginAgain, type KnownErasure } from '../../privacy/index.ts'
import { OperatorError } from '../../runtime/index.ts'
import type { Database } from '../../storage/index.ts'
import { type OperatorServices, recordCommand } from '../operator-services.ts'
import { type BackupPlace, BackupUnusable, findBackup, readManifest } from './manifest.ts'
import { readRows } from './rows-files.ts'

/** Erasures of customers that a backup may not know of. */
export interface LaterErasures {
  erasures: readonly KnownErasure[]
  /** ISO 8601: until when all are known; of those that are later, only what a file names. */
  knownUntil: string
}

/**
 * The erasures of customers that a backup may not know of: those of the newest whole backup in the same place, and those of
 * a file.
 *
 * @param file The output of `tillwright erasures list --csv`; `null` for none.
 * @throws {BackupUnusable} If the newest backup cannot be read: silently without it, customers would be back.
 */
export async function laterErasures(place: BackupPlace, file: string | null): Promise<LaterErasures> {
  const newest = await findBackup(join(place.folder, '..', '..')).catch((error: unknown) => {
    if (error instanceof BackupUnusable) return place
    throw error
  })
  try {
    const { takenAt: knownUntil } = await readManifest(newest)
    const inBackup = await erasuresIn(newest)
    return { erasures: [...inBackup, ...(file === null ? [] : await erasuresOf(file, '--erasures'))], knownUntil }
  } catch (error) {
    if (!(error instanceof BackupUnusable) || newest.folder === place.folder) throw error
    throw new BackupUnusable(
      `${error.message} It is the newest backup, by which the restore of an older one knows who was erased since. Nothing ` +
        `was restored. Move ${newest.folder} elsewhere, and name those who were erased since with --erasures.`,
      { cause: error },
    )
  }
}

async function erasuresIn(place: BackupPlace): Promise<KnownErasure[]> {
  const table = (await readManifest(place)).tables.find(({ name }) => name === 'customer_erasures')
  if (table === undefined) return []
  const at = (column: string) => table.columns.findIndex(({ name }) => name === column)
  const erasures: KnownErasure[] = []
  for await (const lines of readRows(place.folder, table)) {
    for (const line of lines) {
      const row: unknown[] = JSON.parse(line)
      const text = (column: string) => String(row[at(column)])
      erasures.push({
        id: text('id'),
        accountId: text('account_id'),
        customerId: text('customer_id'),
        createdAt: new Date(Number(row[at('created_at')])).toISOString(),
      })
    }
  }
  return erasures
}

const erasure = z.object({ id: z.string(), accountId: z.string(), customerId: z.string(), createdAt: z.iso.datetime() })

async function erasuresOf(file: string, option: '--erasures' | '--file'): Promise<KnownErasure[]> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) throw new OperatorError(`${option}: ${file} cannot be read.`)
  const [names = [], ...rows] = csvRows(text)
  // The lists of several accounts may stand below each other, each with its names.
  const listed = rows
    .filter((row) => row.join() !== names.join())
    .map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
  const read = z.array(erasure).safeParse(listed)
  if (read.success && names.includes('customerId')) return read.data
  throw new OperatorError(`${option}: ${file} is no list of erasures; make it with "tillwright erasures list --csv".`)
}

/** The rows of a CSV file: fields in quotes may hold commas, line breaks, and quotes that are doubled. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.some((field) => field !== ''))
}

/**
 * Begins those again that a restored database does not know of. From here on nothing new is stored of these customers; the
 * first platform that starts on the database erases the rest.
 *
 * @returns How many.
 */
export async function eraseAgain(erasures: readonly KnownErasure[], db: Database): Promise<number> {
  let begun = 0
  for (const known of erasures) {
    const { outcome } = await db.write(beginAgain(known))
    if (outcome === 'committed') begun += 1
  }
  return begun
}

/** Where the erasures are named that a database may not know of; at least one of both. */
export interface WantedErasures {
  /** Path of a file with the output of `tillwright erasures list --csv`. */
  file?: string
  /** A folder of backups, whose newest whole one is read. */
  backups?: string
}

/** Result of repeating the erasures that were named. */
export interface RepeatedErasures {
  named: number
  /** The customers who are erased again. */
  begun: string[]
}

/** Operator commands for erasures. */
export interface ErasureManagement {
  repeat(wanted: WantedErasures): Promise<RepeatedErasures>
}

/** For databases that something else than `restoreBackup` brought back, such as PostgreSQL's recovery to a moment. */
export function manageErasures(services: OperatorServices): ErasureManagement {
  return {
    async repeat({ file, backups }) {
      if (file === undefined && backups === undefined) {
        throw new OperatorError('--file: name a list of erasures, or a folder of backups with --backups.')
      }
      const known = new Map<string, KnownErasure>()
      const inBackup = backups === undefined ? [] : await erasuresIn(await findBackup(resolve(backups)))
      const inFile = file === undefined ? [] : await erasuresOf(file, '--file')
      for (const each of [...inBackup, ...inFile]) known.set(each.id, each)
      const begun: string[] = []
      for (const each of known.values()) {
        const { accountId, id, customerId } = each
        const resource = { type: 'customer', id: customerId }
        const recorded = recordCommand({ accountId, operation: 'customers.erase', resource, after: { id } }, services)
        const { outcome } = await services.db.write([...beginAgain(each), ...recorded])
        if (outcome === 'committed') begun.push(customerId)
      }
      return { named: known.size, begun }
    },
  }
}
