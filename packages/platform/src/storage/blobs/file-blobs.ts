import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Blobs, Received } from './blobs.ts'

const compress = promisify(brotliCompress)
/** Up to this size the best compression is worth its time, which is about a second a MiB; beyond it, a quick one. */
const BEST_UP_TO_BYTES = 2 * 1024 * 1024
const BEST_QUALITY = 11
const QUICK_QUALITY = 5

/**
 * Blobs as files `ab/cdef...` under a folder, readable by the platform's user alone. Several processes may share the
 * folder. A process that is killed while it writes leaves a file `*.new`, which nobody reads. Beside a blob its compressed
 * bytes are `*.br`.
 *
 * @param folder Made with the first blob.
 */
export function fileBlobs(folder: string): Blobs {
  const fileOf = (sha256: string) => join(folder, checked(sha256).slice(0, 2), sha256.slice(2))
  /** What is being compressed: who asks meanwhile waits for the same. */
  const compressing = new Map<string, Promise<Uint8Array | null>>()
  return {
    async put(sha256, bytes) {
      const file = fileOf(sha256)
      if (!(await exists(file))) await writeWhole(file, bytes)
      // Also for one that was there: another process may be about to finish it.
      await sync(dirname(file))
    },
    async receive(sha256, bytes, limitBytes) {
      const file = fileOf(sha256)
      return writeUnder(file, (handle) => receiveInto(handle, bytes, { sha256, limitBytes }))
    },
    async remove(sha256) {
      const file = fileOf(sha256)
      await rm(`${file}.br`, { force: true })
      await rm(file, { force: true })
    },
    has: async (sha256) => exists(fileOf(sha256)),
    async get(sha256) {
      const file = fileOf(sha256)
      return (await exists(file)) ? readFile(file) : null
    },
    compressed(sha256) {
      const file = fileOf(sha256)
      const begun = compressing.get(sha256) ?? compressedFile(file).finally(() => compressing.delete(sha256))
      compressing.set(sha256, begun)
      return begun
    },
  }
}

async function compressedFile(file: string): Promise<Uint8Array | null> {
  const beside = `${file}.br`
  if (await exists(beside)) return readFile(beside)
  if (!(await exists(file))) return null
  const bytes = await readFile(file)
  const quality = bytes.length <= BEST_UP_TO_BYTES ? BEST_QUALITY : QUICK_QUALITY
  const compressed = await compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  await writeWhole(beside, compressed)
  return compressed
}

/** The hash becomes a path. */
function checked(sha256: string): string {
  if (/^[0-9a-f]{64}$/.test(sha256)) return sha256
  throw new RangeError('A blob is named by 64 lower-case hexadecimal digits.')
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await writeUnder(file, async (handle) => {
    await handle.writeFile(bytes)
    return { outcome: 'stored', size: bytes.length }
  })
}

/** Writes what arrives, and says whether it is what was announced. */
async function receiveInto(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  { sha256, limitBytes }: { sha256: string; limitBytes: number },
): Promise<Received> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limitBytes) return { outcome: 'too_many' }
    digest.update(chunk)
    await handle.writeFile(chunk)
  }
  return digest.digest('hex') === sha256 ? { outcome: 'stored', size } : { outcome: 'other_hash' }
}

/** The name is given to a file that is whole and on disk; one that is not to be stored leaves nothing. */
async function writeUnder(file: string, write: (handle: FileHandle) => Promise<Received>): Promise<Received> {
  const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  if (made !== undefined) await Promise.all([sync(dirname(made)), sync(dirname(dirname(file)))])
  const unfinished = `${file}.${randomUUID()}.new`
  try {
    const received = await writeNew(unfinished, write)
    if (received.outcome === 'stored') {
      await rename(unfinished, file)
      await sync(dirname(file))
    } else await rm(unfinished)
    return received
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeNew(file: string, write: (handle: FileHandle) => Promise<Received>): Promise<Received> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const received = await write(handle)
    await handle.sync()
    return received
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable. Windows has no such call, and needs none. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}
