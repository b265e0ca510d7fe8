import { type Database, pick, rowReader } from '../../storage/index.ts'
import type { ServedDeployment } from '../served-deployment.ts'
import { pluginPicturesTable } from '../tables.ts'
import type { ServedFile } from './find-file.ts'

/** Where the pictures of a deployment's pages are, below its own address. Their names change with their content. */
const PICTURES = '_previews/picture-'

/** The path of a picture, without a slash in front. */
export function picturePath(sha256: string): string {
  return `${PICTURES}${sha256}.png`
}

/** The picture of a deployment at a path, or `null`: those that its `demoPreviews` have, and nothing else of the account. */
export async function findPicture(
  path: string,
  { accountId, deploymentId }: Pick<ServedDeployment, 'accountId' | 'deploymentId'>,
  db: Database,
): Promise<ServedFile | null> {
  if (!path.startsWith(PICTURES)) return null
  const sha256 = path.slice(PICTURES.length, -'.png'.length)
  const [row] = readPictures(await db.read(selectPicture, [accountId, deploymentId, sha256]))
  if (row === undefined || path !== picturePath(sha256)) return null
  return { path, sha256, size: row.size, contentType: 'image/png' }
}

const selectPicture = 'SELECT size FROM plugin_pictures WHERE account_id = ? AND deployment_id = ? AND sha256 = ?'
const readPictures = rowReader(pick(pluginPicturesTable, 'size'))
