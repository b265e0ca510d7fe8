import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharedBeginning } from './shared-beginning.ts'

test('any beginning and any end are one document again in each encoding', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(texts, fc.array(texts, { maxLength: 3 }), async (beginning, ends) => {
      const shared = new SharedBeginning(beginning)
      for (const end of ['', ...ends]) {
        const [br, gzip, identity] = await Promise.all(
          (['br', 'gzip', 'identity'] as const).map((each) => shared.followedBy(end, each)),
        )
        const whole = Buffer.from(beginning + end)
        expect(brotliDecompressSync(br ?? '')).toEqual(whole)
        expect(gunzipSync(gzip ?? '')).toEqual(whole)
        expect(Buffer.from(identity ?? '')).toEqual(whole)
      }
    }),
  )
})

test.each([65_535, 65_536, 65_537, 200_000])('an end of %i bytes is taken as it is', async (length) => {
  const end = 'é1'.repeat(length).slice(0, length)
  const bytes = await new SharedBeginning('<p>').followedBy(end, 'br')
  expect(brotliDecompressSync(bytes).toString()).toBe(`<p>${end}`)
})

test('the beginning is as small as the best level makes it', async () => {
  const beginning = '<p>A text that says some things more than once.</p>'.repeat(50)
  const best = brotliCompressSync(beginning).length
  const bytes = await new SharedBeginning(beginning).followedBy('x'.repeat(100), 'br')
  expect(bytes.length).toBeLessThan(best + 100 + 16)
})
