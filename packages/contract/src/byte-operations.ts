import { z } from 'zod'
import { ASSET_MAX_BYTES } from './limits.ts'
import type { Operation } from './operation.ts'
import { assetHash, storedAsset } from './resources/plugin-assets.ts'

/** One file of a deployment, under its hash. */
const uploadAsset = {
  method: 'PUT',
  path: '/api/plugins/v1/assets/{sha256}',
  audience: 'key',
  scope: 'plugins:write',
  summary: 'Store one file under its hash',
  description:
    'The body is the file, byte for byte and not encoded. What does not have the hash of the address is refused. Sent again, or twice at once, it is the same; broken off, it leaves nothing behind. It has a rate limit of its own, for the many files of a deployment.',
  params: z.object({ sha256: assetHash }),
  bytes: true,
  limit: ASSET_MAX_BYTES,
  status: 200,
  response: storedAsset,
  errors: [],
} as const satisfies Operation

/**
 * The operations whose bodies are plain bytes, by their group: they are in the reference beside the others, and each has a
 * route of its own that takes the bytes as they arrive.
 */
export const byteOperations = { plugins: { uploadAsset } } as const satisfies Record<string, Record<string, Operation>>
