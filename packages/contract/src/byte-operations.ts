import { uploadAsset } from './operations/upload-asset.ts'
import type { Operation } from './operation.ts'

/**
 * The operations whose bodies are plain bytes, by their group: they are in the reference beside the others, and each has a
 * route of its own that takes the bytes as they arrive.
 */
export const byteOperations = { plugins: { uploadAsset } } as const satisfies Record<string, Record<string, Operation>>
