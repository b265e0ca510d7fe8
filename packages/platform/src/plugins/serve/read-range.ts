/** What a request wants of a file. `end` is the last byte's place, as in `Content-Range`. */
export type Wanted =
  | { outcome: 'whole' }
  | { outcome: 'part'; start: number; end: number }
  | { outcome: 'unsatisfiable' }

/**
 * Reads a `Range` header. One range of bytes is honoured; several, another unit, and what is no range at all mean the
 * whole file, as RFC 9110 section 14.2 allows.
 *
 * @param size How many bytes the file has.
 */
export function readRange(header: string | undefined, size: number): Wanted {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return { outcome: 'whole' }
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? { outcome: 'unsatisfiable' } : { outcome: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return { outcome: 'whole' }
  return start >= size ? { outcome: 'unsatisfiable' } : { outcome: 'part', start, end }
}
