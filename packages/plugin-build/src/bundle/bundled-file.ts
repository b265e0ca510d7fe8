import { hash } from 'node:crypto'
import type { BundleFile } from './bundle.ts'
import { contentTypeOf } from '@tillwright/contract/content-type-of'

/** A file of the build with what a deployment says of it. Source maps are the only files that are not public. */
export function bundledFile(path: string, bytes: Uint8Array): BundleFile {
  return {
    path,
    bytes,
    contentType: contentTypeOf(path),
    sha256: hash('sha256', bytes),
    isPublic: !path.endsWith('.map'),
  }
}
