import { z } from 'zod'
import { ASSET_MAX_BYTES, DEPLOYMENT_MAX_FILES } from '../limits.ts'
import { assetPath } from '../paths.ts'

const HASH = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2'

/** The SHA-256 that identifies a file. */
export const assetHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hexadecimal digits')
  .meta({ description: 'The SHA-256 of the bytes, in lower-case hexadecimal.', examples: [HASH] })
const sha256 = assetHash
const size = z
  .int()
  .min(0)
  .max(ASSET_MAX_BYTES)
  .meta({ description: 'The size of the file in bytes: at most 25 MiB.', examples: [5] })

const mediaType = z
  .string()
  .max(255)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w.+-]+=[\w.+-]+)*$/, 'must be a media type such as "text/css"')

/** A file of a deployment: with its content, or by the hash of a stored asset. */
export const inlineAsset = z
  .object({
    path: assetPath.meta({
      description: 'The path of the file, unique in the deployment.',
      examples: ['assets/app.js'],
    }),
    content: z
      .string()
      .optional()
      .meta({
        description: 'The content. Without it, `sha256` and `size` identify a stored asset.',
        examples: ['test\n'],
      }),
    encoding: z
      .enum(['utf-8', 'base64'])
      .default('utf-8')
      .meta({
        description: 'The encoding of `content`: text, or base64 (RFC 4648, padded).',
        examples: ['utf-8'],
      }),
    contentType: mediaType.optional().meta({
      description: 'The media type to serve the file with; derived from the extension of `path` by default.',
      examples: ['text/javascript'],
    }),
    sha256: sha256.optional(),
    size: size.optional(),
  })
  .superRefine(namedWithoutContent)
export type InlineAsset = z.output<typeof inlineAsset>

/** The files of a deployment: at most 2,000, with unique paths, ignoring case. */
export const inlineAssets = z.array(inlineAsset).max(DEPLOYMENT_MAX_FILES).superRefine(distinctPaths)

/** The body of `POST /api/plugins/v1/assets`. */
export const newAssets = z.object({
  assets: z
    .array(
      z.object({
        sha256,
        size,
        content: z.string().meta({ description: 'The bytes, as base64 (RFC 4648, padded).', examples: ['dGVzdAo='] }),
      }),
    )
    .min(1)
    .max(DEPLOYMENT_MAX_FILES)
    .meta({ description: 'The files to store.' }),
})
export type NewAssets = z.output<typeof newAssets>

/** A stored asset. */
export const storedAsset = z.object({ sha256, size }).meta({ id: 'StoredAsset' })

/** The stored assets, in the order of the request. */
export const storedAssets = z
  .object({
    stored: z.array(storedAsset).meta({ description: 'The assets, which deployments can now refer to.' }),
  })
  .meta({ id: 'StoredAssets' })

function namedWithoutContent(
  asset: { content?: unknown; sha256?: unknown; size?: unknown },
  context: z.RefinementCtx,
): void {
  if (asset.content !== undefined) return
  for (const field of ['sha256', 'size'] as const) {
    if (asset[field] !== undefined) continue
    const message = 'is required for an asset without content'
    context.addIssue({ code: 'custom', path: [field], message, params: { code: 'parameter_missing' } })
  }
}

function distinctPaths(assets: readonly { path: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [index, { path }] of assets.entries()) {
    const key = path.normalize('NFC').toLowerCase()
    if (seen.has(key)) {
      context.addIssue({
        code: 'custom',
        path: [index, 'path'],
        message: 'must be unique, ignoring case',
      })
    }
    seen.add(key)
  }
}
