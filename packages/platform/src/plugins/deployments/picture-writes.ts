import type { PreviewUpdate } from '@tillwright/contract'
import type { RequestContext, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { deploymentUrl } from '../addresses.ts'
import { nameAssets, picturePath, sizesOfStored, storerOf } from '../assets/index.ts'
import type { Deployment } from './deployments.ts'

type Pictures = NonNullable<PreviewUpdate['screenshots']>
type Urls = NonNullable<PreviewUpdate['screenshotUrls']>

/** The addresses of stored pictures, and the statements that make them a deployment's. */
export interface PictureWrites {
  screenshotUrls: Urls
  writes: Write[]
}

/**
 * Makes stored assets the pictures of a deployment's preview.
 *
 * @throws {ApiError} 400 for one that the account has not stored.
 */
export async function pictureWrites(
  screenshots: Pictures,
  { id, host }: Deployment,
  { context, pluginsUrl }: { context: RequestContext; pluginsUrl: string },
): Promise<PictureWrites> {
  const { caller, services } = context
  const named = Object.entries(screenshots).flatMap(([window, sha256]) =>
    sha256 === undefined ? [] : [[window, sha256] as const],
  )
  const hashes = [...new Set(named.map(([, sha256]) => sha256))]
  const sizes = await sizesOfStored(hashes, caller.accountId, services.db)
  const missing = named.find(([, sha256]) => !sizes.has(sha256))
  if (missing !== undefined) {
    throw new ApiError('parameter_invalid', 'These bytes are not stored; upload them as assets first.', {
      param: `screenshots.${missing[0]}`,
    })
  }
  const url = deploymentUrl(host, pluginsUrl)
  const inserts = hashes.map((sha256) => ({
    sql: insertPicture,
    params: [caller.accountId, id, sha256, sizes.get(sha256) ?? 0],
  }))
  return {
    screenshotUrls: Object.fromEntries(named.map(([window, sha256]) => [window, `${url}/${picturePath(sha256)}`])),
    writes: [...nameAssets(hashes, storerOf(context)), ...inserts],
  }
}

const insertPicture = `INSERT INTO plugin_pictures (account_id, deployment_id, sha256, size) VALUES (?, ?, ?, ?)
  ON CONFLICT (account_id, deployment_id, sha256) DO NOTHING`

/** The statements that let go of pictures that the deployment's previews had and have no more. */
export function formerPictureWrites(before: object, now: object, { deploymentId, context }: FormerPictures): Write[] {
  const kept = new Set(picturesIn(now))
  const gone = picturesIn(before).filter((sha256) => !kept.has(sha256))
  return gone.map((sha256) => ({
    sql: 'DELETE FROM plugin_pictures WHERE account_id = ? AND deployment_id = ? AND sha256 = ?',
    params: [context.caller.accountId, deploymentId, sha256],
  }))
}

interface FormerPictures {
  deploymentId: string
  context: RequestContext
}

function picturesIn(demoPreviews: object): string[] {
  const found = JSON.stringify(demoPreviews).matchAll(/\/_previews\/picture-([0-9a-f]{64})\.png/g)
  return [...new Set([...found].map(([, sha256 = '']) => sha256))]
}
