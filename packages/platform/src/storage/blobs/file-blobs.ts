import { randomUUID } from 'node:crypto'
import { access, type FileHandle, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../runtime/index.ts'
import {
  blobPath,
  type Blobs,
  BlobsUnavailable,
  compressBlob,
  hashInTurns,
  type Received,
  receiveInto,
} from './blobs.ts'

/**
 * Stores blobs as files `ab/cdef...` in a folder, readable only by the platform's user; several processes may share it.
 * Compressed copies are stored as `*.br`. A process killed while writing leaves a `*.new` file, which is never read and
 * is removed at a later start. What would fill the disk is refused before it does.
 *
 * @param folder Created with the first blob.
 */
export function fileBlobs(folder: string, look: LookAtDisk = lookAtDisk): Blobs {
  const fileOf = (sha256: string) => join(folder, blobPath(sha256))
  /** Compressions in progress, shared by concurrent callers. */
  const compressing = new Map<string, Promise<Uint8Array | null>>()
  return {
    async put(sha256, bytes) {
      const file = fileOf(sha256)
      if (!(await exists(file))) {
        await refuseToFill(file, bytes.length, look)
        await writeWhole(file, bytes)
      }
      // Needed even if the file exists: another process may still be writing it.
      await sync(dirname(file))
    },
    async receive(sha256, bytes, limitBytes) {
      const file = fileOf(sha256)
      await refuseToFill(file, limitBytes, look)
      return writeUnder(file, (handle) => receiveInto(handle, bytes, { sha256, limitBytes }))
    },
    async remove(sha256) {
      const file = fileOf(sha256)
      await rm(`${file}.br`, { force: true })
      await rm(file, { force: true })
    },
    has: async (sha256) => exists(fileOf(sha256)),
    get: async (sha256) => readChecked(fileOf(sha256), sha256),
    compressed(sha256) {
      const file = fileOf(sha256)
      const begun = compressing.get(sha256) ?? compressedFile(file, sha256).finally(() => compressing.delete(sha256))
      compressing.set(sha256, begun)
      return begun
    },
  }
}

/** How much room the disk has that a folder lies on, in bytes. */
export type LookAtDisk = (folder: string) => Promise<{ freeBytes: number; sizeBytes: number }>

async function lookAtDisk(folder: string): ReturnType<LookAtDisk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/** What is left of the disk for the embedded database, which may lie there too: without room it takes no payments. */
const RESERVE_BYTES = 2 ** 30
/** Of a small disk less: this part. */
const RESERVE_SHARE = 0.05

/** @throws {BlobsUnavailable} When the disk would have less room than is left to others. */
async function refuseToFill(file: string, bytes: number, look: LookAtDisk): Promise<void> {
  await makePlace(file)
  const { freeBytes, sizeBytes } = await look(dirname(file))
  if (freeBytes - bytes >= Math.min(RESERVE_BYTES, sizeBytes * RESERVE_SHARE)) return
  throw new BlobsUnavailable(
    `The disk of the files of plugins has ${freeBytes} bytes of room, too few for more files: give it room, or name a bucket in TILLWRIGHT_BLOBS.`,
  )
}

/** Reads a file and checks its hash against its name; `null` if it does not exist. */
async function readChecked(file: string, sha256: string): Promise<Uint8Array | null> {
  const bytes = await read(file)
  if (bytes === null || (await hashInTurns(bytes)) === sha256) return bytes
  throw new BlobsUnavailable(`The bytes of ${sha256} are damaged.`)
}

async function compressedFile(file: string, sha256: string): Promise<Uint8Array | null> {
  const brotliFile = `${file}.br`
  const known = await read(brotliFile)
  if (known !== null) return known
  const bytes = await readChecked(file, sha256)
  if (bytes === null) return null
  const compressed = await compressBlob(bytes)
  // It is kept to save work alone: a disk that takes no more keeps no page from its buyers.
  await writeWhole(brotliFile, compressed).catch(() => {})
  return compressed
}

async function read(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new BlobsUnavailable('The folder of files cannot be read.', { cause: error })
  }
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await writeUnder(file, async (handle) => {
    await handle.writeFile(bytes)
    return { outcome: 'stored', size: bytes.length }
  })
}

/** Renames the file into place only once it is complete and on disk; a rejected one leaves nothing behind. */
async function writeUnder(file: string, write: (handle: FileHandle) => Promise<Received>): Promise<Received> {
  await makePlace(file)
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

/** Makes the folder of a file, durably. */
async function makePlace(file: string): Promise<void> {
  const made = await makeFolder(dirname(file))
  if (made !== undefined) await Promise.all([sync(dirname(made)), sync(dirname(dirname(file)))])
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

/** Makes a folder's entries durable. Windows has no such call and does not need it. */
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

/** Longer than any upload takes, including uploads to other processes. */
const OLD_MS = 24 * 60 * 60 * 1_000

/**
 * Removes unfinished files that killed processes left behind, once they are a day old. Blobs are kept.
 *
 * @param folder Need not exist.
 * @param nowMs Time by the clock that dates the folder's files.
 */
export async function clearUnfinished(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.new'))) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => null) // gone by now: the upload was completed
    if (found !== null && found.mtimeMs <= nowMs - OLD_MS) await rm(file, { force: true })
  }
}
