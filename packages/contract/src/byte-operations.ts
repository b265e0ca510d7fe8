import { z } from 'zod'
import { ASSET_MAX_BYTES } from './limits.ts'
import type { Operation } from './operation.ts'
import { assetHash, storedAsset } from './resources/plugin-assets.ts'

/** Uploads one file of a deployment under its hash. */
const uploadAsset = {
  method: 'PUT',
  path: '/api/plugins/v1/assets/{sha256}',
  audience: 'key',
  scope: 'plugins:write',
  summary: 'Upload an asset',
  description:
    'The body is the file itself, byte for byte. It is refused unless its hash is the one in the address. Repeating the upload, even in parallel, is safe, and an interrupted one leaves nothing behind. It has its own rate limit, because a deployment can have many files.',
  params: z.object({ sha256: assetHash }),
  bytes: true,
  limit: ASSET_MAX_BYTES,
  status: 200,
  response: storedAsset,
  errors: ['state_conflict'],
} as const satisfies Operation

/**
 * Operations whose bodies are raw bytes, by group. They appear in the reference like all others, but each has its own
 * route, which streams the body.
 */
export const byteOperations = { plugins: { uploadAsset } } as const satisfies Record<string, Record<string, Operation>>
