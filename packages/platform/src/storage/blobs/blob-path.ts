/**
 * Where a blob stands in its store: `ab/cdef...`.
 *
 * @throws {RangeError} For what is no hash: it becomes a path.
 */
export function blobPath(sha256: string): string {
  if (/^[0-9a-f]{64}$/.test(sha256)) return `${sha256.slice(0, 2)}/${sha256.slice(2)}`
  throw new RangeError('A blob is named by 64 lower-case hexadecimal digits.')
}
