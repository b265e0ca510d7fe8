import { type Database, pick, type RowOf, rowReader } from '../../storage/index.ts'
import type { ServedDeployment } from '../served-deployment.ts'
import { pluginFilesTable } from '../tables.ts'

/** A file as it is served. */
export interface ServedFile {
  path: string
  sha256: string
  contentType: string
  size: number
}

/** The first of these paths that the deployment has a file at, or `null`. */
export async function findFile(
  paths: readonly string[],
  { accountId, deploymentId }: ServedDeployment,
  db: Database,
): Promise<ServedFile | null> {
  const [one = '', two = '', three = ''] = paths
  const rows = await db.read(selectFiles, [accountId, deploymentId, one, two, three])
  const files = new Map(readFiles(rows).map((row) => [row.path, toFile(row)]))
  return paths.map((path) => files.get(path)).find((file) => file !== undefined) ?? null
}

/**
 * A file that another deployment of the plugin has, where this one is served in turn with others: a page that was loaded
 * before the switch still asks for it. Only under a name that no other content can have.
 */
export async function findFormerFile(path: string, place: ServedDeployment, db: Database): Promise<ServedFile | null> {
  if (!place.moves || !isContentHashed(path)) return null
  const [row] = readFiles(await db.read(selectFormer, [place.accountId, place.storeId, place.pluginId, path]))
  return row === undefined ? null : toFile(row)
}

const selectFiles = `SELECT path, sha256, content_type, size FROM plugin_files
  WHERE account_id = ? AND deployment_id = ? AND path IN (?, ?, ?)`

const selectFormer = `SELECT f.path, f.sha256, f.content_type, f.size FROM plugin_deployments d
  JOIN plugin_files f ON f.account_id = d.account_id AND f.deployment_id = d.id
  WHERE d.account_id = ? AND d.store_id = ? AND d.plugin_id = ? AND d.removed_at IS NULL AND f.path = ?
  ORDER BY d.created_at DESC LIMIT 1`

const fileColumns = pick(pluginFilesTable, 'path', 'sha256', 'content_type', 'size')
const readFiles = rowReader(fileColumns)

function toFile(row: RowOf<typeof fileColumns>): ServedFile {
  return {
    path: row.path,
    sha256: row.sha256,
    contentType: row.content_type,
    size: row.size,
  }
}

/**
 * Whether a file's name holds a hash of its content, so that other content has another name: eight characters of base32
 * as esbuild writes them, or 8 to 64 hexadecimal digits, before the ending. Digits alone may be a date, and letters alone
 * a word.
 */
export function isContentHashed(path: string): boolean {
  const hash = /[-.]([A-Za-z0-9]{8,64})\.[a-z0-9]+(?:\.map)?$/.exec(path)?.[1] ?? ''
  return /^[A-Z2-7]{8}$/.test(hash) || /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,64}$/.test(hash)
}
