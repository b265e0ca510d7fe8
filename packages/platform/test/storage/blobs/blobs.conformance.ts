import { hash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Blobs } from '../../../src/storage/blobs/blobs.ts'

/**
 * Conformance tests of every blob driver.
 *
 * @param open Opens a new, empty store.
 */
export function blobsConformance(name: string, open: () => Promise<Blobs>): void {
  describe(`blobs in ${name}`, () => {
    const blob = (text: string) => ({ bytes: Buffer.from(text), sha256: hash('sha256', text) })

    test('what was put comes back byte for byte', async () => {
      const blobs = await open()
      const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      for (const bytes of [every, Buffer.alloc(0), Buffer.alloc(3_000_000, 'x')]) {
        const sha256 = hash('sha256', bytes)
        await blobs.put(sha256, bytes)
        expect(Buffer.compare((await blobs.get(sha256)) ?? Buffer.from('none'), bytes)).toBe(0)
        expect(await blobs.has(sha256)).toBe(true)
      }
    })

    test('what was never put is not there', async () => {
      const blobs = await open()
      await blobs.put(blob('other').sha256, blob('other').bytes)
      expect(await blobs.has(blob('none').sha256)).toBe(false)
      expect(await blobs.get(blob('none').sha256)).toBeNull()
    })

    test('compressed bytes are the same once they are decompressed, however many ask for them at once', async () => {
      const blobs = await open()
      const { sha256, bytes } = blob('all the same '.repeat(10_000))
      expect(await blobs.compressed(sha256)).toBeNull()
      await blobs.put(sha256, bytes)
      const all = await Promise.all(Array.from({ length: 4 }, () => blobs.compressed(sha256)))
      for (const compressed of [...all, await blobs.compressed(sha256)]) {
        expect(compressed?.length).toBeLessThan(1_000)
        expect(Buffer.compare(brotliDecompressSync(compressed ?? Buffer.alloc(0)), bytes)).toBe(0)
      }
    })

    test('bytes that arrive in pieces are one blob, also when the same arrive twice at once', async () => {
      const blobs = await open()
      const { sha256, bytes } = blob('in pieces '.repeat(50_000))
      const receive = () => blobs.receive(sha256, inPieces(bytes), bytes.length)
      expect(await Promise.all([receive(), receive()])).toEqual(
        Array.from({ length: 2 }, () => ({ outcome: 'stored', size: bytes.length })),
      )
      expect(Buffer.compare((await blobs.get(sha256)) ?? Buffer.alloc(0), bytes)).toBe(0)
    })

    test('nothing is kept of bytes that are others, too many, or broken off', async () => {
      const blobs = await open()
      const { sha256, bytes } = blob('announced '.repeat(1_000))
      const other = Buffer.alloc(bytes.length, 'x')
      expect(await blobs.receive(sha256, inPieces(other), bytes.length)).toEqual({ outcome: 'other_hash' })
      expect(await blobs.receive(sha256, inPieces(bytes), bytes.length - 1)).toEqual({ outcome: 'too_many' })
      async function* broken() {
        yield bytes.subarray(0, 100)
        throw new Error('gone')
      }
      await expect(blobs.receive(sha256, broken(), bytes.length)).rejects.toThrow('gone')
      expect(await blobs.has(sha256)).toBe(false)
    })

    test('what was removed is gone, with what was made of it, and can be put again', async () => {
      const blobs = await open()
      const { sha256, bytes } = blob('for a while '.repeat(1_000))
      await blobs.remove(sha256)
      await blobs.put(sha256, bytes)
      await blobs.compressed(sha256)
      await blobs.remove(sha256)
      expect([await blobs.has(sha256), await blobs.get(sha256), await blobs.compressed(sha256)]).toEqual([
        false,
        null,
        null,
      ])
      await blobs.put(sha256, bytes)
      expect(await blobs.get(sha256)).toHaveLength(bytes.length)
    })

    test('the same may be put many times at once', async () => {
      const blobs = await open()
      const { sha256, bytes } = blob('same'.repeat(100_000))
      await Promise.all(Array.from({ length: 8 }, () => blobs.put(sha256, bytes)))
      await blobs.put(sha256, bytes)
      expect(await blobs.get(sha256)).toHaveLength(bytes.length)
    })

    test.for(['', 'x', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`, 'a'.repeat(65)])(
      '%j is no name of a blob',
      async (sha256) => {
        const blobs = await open()
        for (const act of [
          () => blobs.put(sha256, Buffer.alloc(1)),
          () => blobs.get(sha256),
          () => blobs.has(sha256),
          () => blobs.remove(sha256),
          async () => blobs.compressed(sha256),
        ]) {
          await expect(act()).rejects.toBeInstanceOf(RangeError)
        }
      },
    )
  })
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 4_096) yield bytes.subarray(start, start + 4_096)
}
