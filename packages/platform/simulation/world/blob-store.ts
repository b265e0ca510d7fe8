import { createHash } from 'node:crypto'
import { blobPath, type Blobs, BlobsUnavailable, compressBlob, type Received } from '../../src/storage/blobs/blobs.ts'
import type { Host } from '../machine/host.ts'
import { strikes, type World } from './world.ts'

/** Where all processes of a world keep the files of plugins, by their SHA-256: it loses nothing, and the way to it does. */
export type BlobStore = Map<string, Uint8Array>

/** How long a process waits for an answer. */
const SILENCE_MS = 3_000

/** The store as a process reaches it: each request goes there and back, and either way may fail. */
export function blobsIn(store: BlobStore, host: Host, world: World): Blobs {
  const { dice } = world
  const ask = async <Answer>(what: string, sha256: string, arrive: () => Answer): Promise<Answer> => {
    blobPath(sha256) // throws for what is no hash
    return new Promise((resolve, reject) => {
      const back = (delayMs: number, tell: () => void) => void host.after(delayMs, 'hears from the files', tell)
      const breaks = () =>
        back(dice.between(1, SILENCE_MS), () => reject(new BlobsUnavailable('The connection to the files broke.')))
      const slowMs = strikes(world, 'files.slow') ? dice.between(100, 6_000) : 0
      if (strikes(world, 'files.request lost')) return breaks()
      // On its way it no longer depends on the process that has sent it.
      world.scheduler.after(dice.between(1, 20) + slowMs, `${host.name} reaches the files`, () => {
        const answer = arrive()
        world.tell('files', `${host.name}: ${what} ${sha256.slice(0, 8)}`)
        if (strikes(world, 'files.answer lost')) breaks()
        else back(dice.between(1, 20), () => resolve(answer))
      })
    })
  }
  const put = (sha256: string, bytes: Uint8Array) =>
    ask('keeps', sha256, () => void store.set(sha256, Uint8Array.from(bytes)))
  return {
    put,
    async receive(sha256, bytes, limitBytes): Promise<Received> {
      const pieces: Uint8Array[] = []
      let size = 0
      for await (const piece of bytes) {
        size += piece.length
        if (size > limitBytes) return { outcome: 'too_many' }
        pieces.push(Uint8Array.from(piece))
      }
      const whole = Buffer.concat(pieces)
      if (createHash('sha256').update(whole).digest('hex') !== sha256) return { outcome: 'other_hash' }
      await put(sha256, whole)
      return { outcome: 'stored', size }
    },
    has: async (sha256) => ask('looks for', sha256, () => store.has(sha256)),
    remove: async (sha256) => ask('forgets', sha256, () => void store.delete(sha256)),
    get: async (sha256) => ask('reads', sha256, () => store.get(sha256) ?? null),
    async compressed(sha256) {
      const bytes = await ask('reads', sha256, () => store.get(sha256) ?? null)
      return bytes && compressBlob(bytes)
    },
  }
}
