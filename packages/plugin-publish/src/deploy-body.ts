import type { InputOf } from '@tillwright/client'
import type { Contract } from '@tillwright/contract'
import type { Content } from './content.ts'

/** The body of a deployment that names its files by their hashes alone. Source: `POST /plugins/v2/deploy`. */
export function deployBody(
  { manifest, files, demoPreviews }: Content,
  storeId: string,
): InputOf<Contract['plugins']['deploy']> {
  return {
    storeId,
    manifest,
    ...(demoPreviews !== undefined && { demoPreviews }),
    inlineAssets: files.map(({ path, sha256, size, contentType }) => ({ path, sha256, size, contentType })),
  }
}
