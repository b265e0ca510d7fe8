import { isObject } from '@tillwright/contract/json'
import type { SentFile } from '../request-context.ts'
import type { Outline } from './body-outline.ts'
import { contentDecoder, type DescribedContent, describeContent, type FileEncoding } from './file-content.ts'
import { readSpooled, release, type Span, type SpooledBody, streamSpooled } from './spooled-body.ts'

/** A file that has stayed on disk. */
export interface LiftedFile extends Span {
  /** What the body has as its `content`. */
  mark: string
  encoding: FileEncoding
  /** `null` where its content is not the base64 that it is said to be. */
  described: DescribedContent | null
}

/**
 * Reads the files of a body that was parsed from its outline.
 *
 * @param options.field The field whose items are files.
 * @throws {ApiError} For what no text may have, and for a card number.
 */
export function describeFiles(
  body: unknown,
  { contents }: Outline,
  { spooled, field }: { spooled: SpooledBody; field: string },
): readonly LiftedFile[] {
  const items: unknown = isObject(body) ? body[field] : undefined
  const encodings = new Map<unknown, FileEncoding>()
  for (const item of Array.isArray(items) ? items : []) {
    // Where there is no choice, it is base64.
    if (isObject(item)) encodings.set(item['content'], item['encoding'] === 'utf-8' ? 'utf-8' : 'base64')
  }
  return contents.map(({ start, end, mark }) => {
    const encoding = encodings.get(mark)
    if (encoding === undefined) throw new Error('A file that was taken out of a body is not in what was parsed of it.')
    return { start, end, mark, encoding, described: describeContent(readSpooled(spooled, { start, end }), encoding) }
  })
}

/** Files on disk as a handler sees them, by what it finds as their `content`. */
export function filesOnDisk(files: readonly LiftedFile[], spooled: SpooledBody): ReadonlyMap<string, SentFile> {
  return new Map(
    files.map(({ mark, encoding, described, start, end }) => {
      const bytes = () => decoded(streamSpooled(spooled, { start, end }), encoding)
      return [mark, { described, bytes }]
    }),
  )
}

async function* decoded(pieces: AsyncIterable<Buffer>, encoding: FileEncoding): AsyncGenerator<Uint8Array> {
  const decoder = contentDecoder(encoding)
  for await (const piece of pieces) {
    const bytes = decoder.add(piece)
    yield bytes
    release(bytes)
  }
  yield decoder.end()
}
