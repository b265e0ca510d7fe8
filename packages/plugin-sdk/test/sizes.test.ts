import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { buildCheckout } from '../../checkout/build.ts'

const scratch = await mkdtemp(join(tmpdir(), 'tillwright-sdk-'))
await buildCheckout(scratch)
afterAll(() => rm(scratch, { recursive: true }))

/** Bundles a page's imports as plugins do. @returns The size of each file in brotli, by name. */
async function sizesOf(source: string): Promise<Map<string, number>> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts', sourcefile: 'page.ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'edge111', 'firefox115', 'safari16'],
    outdir: 'out',
    entryNames: 'page',
    chunkNames: '[name]-[hash]', // names are part of what is loaded
    external: ['preact', 'preact/hooks', 'react'],
    write: false,
  })
  return new Map(outputFiles.map(({ path, contents }) => [nameOf(path), brotliCompressSync(contents).length]))
}

/** The name of a file without its folder and hash. */
function nameOf(path: string): string {
  return basename(path).replace(/-[A-Z0-9]{8}(?=\.js$)/, '')
}

// brotliCompressSync uses quality 11 by default.
const core = await sizesOf(`export { openPage } from '../src/index.ts'`)

// The handover between origins costs 470 bytes: a code is redeemed before anything else happens. That a preview shows other
// settings while it is open costs 72.
test('the core is at most 4,624 bytes in brotli, and modules loaded on demand are not part of it', () => {
  expect([...core.keys()].toSorted()).toEqual([
    'follow-payment.js',
    'hand-over.js',
    'page.js',
    'payments.js',
    'renew-session.js',
  ])
  expect(core.get('page.js')).toBeLessThanOrEqual(4_624)
})

// That the vault may show a preview's card form inside the console costs 86, loader included.
test("with payments and the checkout's loader it is at most 8,865 bytes", async () => {
  const loader = brotliCompressSync(await readFile(join(scratch, 'tillwright.js'))).length
  expect((core.get('page.js') ?? 0) + (core.get('payments.js') ?? 0) + loader).toBeLessThanOrEqual(8_865)
})

test.each(['preact', 'react'])('the hooks for %s are at most 800 bytes', async (library) => {
  const sizes = await sizesOf(`export * from '../src/${library}/index.ts'`)
  expect(sizes.get('page.js')).toBeLessThanOrEqual(800)
})
