import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { transform } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { bytesUntil } from '../bench/bytes-until.ts'
import { buildCheckout } from '../build.ts'
import { localeTags } from '../src/locales/index.ts'
import { languageTags } from '../src/page/methods/texts.ts'

const scratch = await mkdtemp(join(tmpdir(), 'tillwright-checkout-'))
const folder = join(scratch, 'first')
await buildCheckout(folder)
const { texts: threedsTexts } = JSON.parse(await readFile(join(folder, 'threeds.json'), 'utf8'))
afterAll(() => rm(scratch, { recursive: true }))

// brotliCompressSync compresses at quality 11 unless told otherwise.
test.each([
  ['tillwright.js', 3_110], // 36 of them tell the vault of a preview in the console's frame, 79 whether the form is there
  ['card.html', 12_000],
  ['threeds.js', 2_500],
  ['wallets.js', 4_096],
  ['methods.js', 4_096],
])('%s is at most %i bytes in brotli', async (file, budgetBytes) => {
  expect(brotliCompressSync(await readFile(join(folder, file))).length).toBeLessThanOrEqual(budgetBytes)
})

test.each([
  ['react/index.js', 900],
  ['element/index.js', 755], // 30 of them say on the console what an element cannot throw
  ['react/wallets.js', 620],
  ['element/wallets.js', 720],
  ['react/methods.js', 800],
  ['element/methods.js', 880],
])('%s adds at most %i bytes in brotli, as a bundler minifies it', async (file, budgetBytes) => {
  const { code } = await transform(await readFile(join(folder, file), 'utf8'), { minify: true, format: 'esm' })
  expect(code).toMatch(/from"\.\.?\/index\.js"/)
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(budgetBytes)
})

test.each(localeTags)('the language %s is at most 900 bytes in brotli', async (tag) => {
  const file = await readFile(join(folder, `languages/${tag}.json`))
  expect(brotliCompressSync(file).length).toBeLessThanOrEqual(900)
})

test.each(Object.keys(threedsTexts))('the 3-D Secure frame in %s is at most 2,175 bytes in brotli', async (tag) => {
  const html = await readFile(join(folder, 'threeds.html'), 'utf8')
  const values: Record<string, string> = threedsTexts[tag]
  const filled = html.replaceAll(/\{\{(title|cancel|elsewhere|lang|dir)\}\}/g, (_, name: string) => values[name] ?? '')
  expect(brotliCompressSync(filled).length).toBeLessThanOrEqual(2_175)
})

test.each(languageTags)('the methods in %s are at most 700 bytes in brotli', async (tag) => {
  expect(brotliCompressSync(await readFile(join(folder, `methods/${tag}.json`))).length).toBeLessThanOrEqual(700)
})

test('3-D Secure, wallets and methods are files of their own, next to a bundled checkout and at the vault for a script tag', async () => {
  const [index, loader] = await Promise.all(
    ['index.js', 'tillwright.js'].map((file) => readFile(join(folder, file), 'utf8')),
  )
  for (const part of ['threeds', 'wallets', 'methods']) {
    expect(index).toContain(`import("./${part}.js")`)
    expect(loader).toContain(`"${part}"`)
  }
  expect(loader).not.toMatch(/ApplePaySession|pay\.google|sepa_debit/)
})

// A shop that takes cards alone loads not one byte for wallets and methods.
test.each([
  ['tillwright.js', 3_110],
  ['threeds.js', 2_435],
  ['card.html', 11_870],
])('%s has no byte for wallets and methods: it is at most %i bytes', async (file, before) => {
  expect(brotliCompressSync(await readFile(join(folder, file))).length).toBeLessThanOrEqual(before)
})

test('each part is the one export of its module, which is how the loader finds it', async () => {
  for (const part of ['threeds', 'wallets', 'methods']) {
    const [, names = ''] = /export\{([^}]+)\};?$/.exec(await readFile(join(folder, `${part}.js`), 'utf8')) ?? []
    expect(names.split(',')).toHaveLength(1)
  }
})

test.each(['wallets', 'methods'])(
  'the script that pages with %s pin is named by its hash, and is at most 4,096 bytes in brotli',
  async (part) => {
    const { [part]: file } = JSON.parse(await readFile(join(folder, 'pinned.json'), 'utf8'))
    const script = await readFile(join(folder, 'pinned', file))
    expect(file).toBe(`${part}-${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`)
    expect(brotliCompressSync(script).length).toBeLessThanOrEqual(4_096)
  },
)

test('a pinned loader is named by its hash, loads no other script, and is at most 5,500 bytes in brotli', async () => {
  const { tillwright: file } = JSON.parse(await readFile(join(folder, 'pinned.json'), 'utf8'))
  const loader = await readFile(join(folder, 'pinned', file))
  expect(file).toBe(`tillwright-${createHash('sha256').update(loader).digest('hex').slice(0, 16)}.js`)
  expect(loader.toString()).not.toMatch(/threeds\.js|import\(/)
  expect(brotliCompressSync(loader).length).toBeLessThanOrEqual(5_500)
})

test('the 3-D Secure frame speaks every language of the card form', () => {
  expect(Object.keys(threedsTexts).toSorted()).toEqual([...localeTags, 'en'].toSorted())
})

test('a second build gives the same bytes', async () => {
  const again = join(scratch, 'second')
  await buildCheckout(again)
  const languages = localeTags.map((tag) => `languages/${tag}.json`)
  const { tillwright: pinned } = JSON.parse(await readFile(join(folder, 'pinned.json'), 'utf8'))
  const scripts = [
    `pinned/${pinned}`,
    'pinned.json',
    'tillwright.js',
    'index.js',
    'react/index.js',
    'element/index.js',
    'threeds.js',
    'wallets.js',
    'react/wallets.js',
    'element/wallets.js',
    'methods.js',
    'methods/ar.json',
    'react/methods.js',
    'element/methods.js',
  ]
  for (const file of [...scripts, 'card.html', 'card.json', 'threeds.html', 'threeds.json', ...languages]) {
    expect(await readFile(join(again, file))).toEqual(await readFile(join(folder, file)))
  }
})

test('the card form asks for its languages where the vault serves those of the same build', async () => {
  const { languages } = JSON.parse(await readFile(join(folder, 'card.json'), 'utf8'))
  expect(await readFile(join(folder, 'card.html'), 'utf8')).toContain(`"/v1/languages/${languages}"`)
})

test("the card form is one document with two scripts, one style, and the vault's configuration at its end", async () => {
  const html = await readFile(join(folder, 'card.html'), 'utf8')
  const hashes = JSON.parse(await readFile(join(folder, 'card.json'), 'utf8'))
  const hashesOf = (tag: string) =>
    Array.from(html.matchAll(RegExp(`<${tag}>(.*?)</${tag}>`, 'gs')), ([, content = '']) => {
      return `sha256-${createHash('sha256').update(content).digest('base64')}`
    })
  expect(hashesOf('script')).toEqual(hashes.scripts)
  expect(hashes.scripts).toHaveLength(2)
  expect(hashesOf('style')).toEqual([hashes.style])
  expect(html.split('{{frame}}')).toEqual([expect.any(String), '"></data></body></html>'])
  expect(html).not.toMatch(/ style="| on\w+="/)
})

test('to the first digit of a card, loader and form are at most 14,000 bytes in brotli', async () => {
  const [loader, html] = await Promise.all(['tillwright.js', 'card.html'].map((file) => readFile(join(folder, file))))
  const first = bytesUntil(brotliCompressSync(html ?? ''), '</script>')
  expect(first).toBeLessThanOrEqual(10_250)
  expect(brotliCompressSync(loader ?? '').length + first).toBeLessThanOrEqual(14_000)
})
