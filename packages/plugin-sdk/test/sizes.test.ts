import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { buildCheckout } from '../../checkout/build.ts'
import { sizesOf } from './page-sizes.ts'

const scratch = await mkdtemp(join(tmpdir(), 'tillwright-sdk-'))
await buildCheckout(scratch)
afterAll(() => rm(scratch, { recursive: true }))

const core = await sizesOf(`export { openPage } from '../src/index.ts'`)

// The handover between origins costs 470 bytes: a code is redeemed before anything else happens. That a preview shows other
// settings while it is open costs 72, and that it can be paid without a card 9.
// Payments are part of it: a page that takes a card is not to wait a round trip for them.
test('the core is at most 5,520 bytes in brotli, and modules loaded on demand are not part of it', () => {
  expect([...core.keys()].toSorted()).toEqual([
    'follow-payment.js',
    'hand-over.js',
    'methods.js',
    'page.js',
    'renew-session.js',
  ])
  expect(core.get('page.js')).toBeLessThanOrEqual(5_520)
})

// That the vault may show a preview's card form inside the console costs 86, loader included; that a page can be left for a method's and come back to, 117;
// that what is charged later is what the buyer was shown, 42 here and 37 in the wallets.
test("with the checkout's loader it is at most 8,640 bytes", async () => {
  const loader = brotliCompressSync(await readFile(join(scratch, 'tillwright.js'))).length
  expect((core.get('page.js') ?? 0) + loader).toBeLessThanOrEqual(8_640)
})

test.each(['preact', 'react'])('the hooks for %s are at most 800 bytes', async (library) => {
  const sizes = await sizesOf(`export * from '../src/${library}/index.ts'`)
  expect(sizes.get('page.js')).toBeLessThanOrEqual(800)
})

test.each([
  ['methods/index.ts', 700],
  ['wallets.ts', 790],
])('%s is at most %i bytes, for pages that take more than cards', async (module, limit) => {
  const sizes = await sizesOf(`export * from '../src/${module}'`)
  expect(sizes.get('page.js')).toBeLessThanOrEqual(limit)
})
