import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readFrameFiles } from './frame-files.ts'

const languages = '0123456789abcdef'
const texts = {
  lang: 'en',
  dir: 'ltr',
  title: 'Card verification',
  cancel: 'Cancel',
  elsewhere: 'Confirm in your bank’s app',
}
const PINNED = `tillwright-${createHash('sha256').update('Tillwright').digest('hex').slice(0, 16)}.js`
const WALLETS = `wallets-${createHash('sha256').update('Wallets').digest('hex').slice(0, 16)}.js`
const METHODS = `methods-${createHash('sha256').update('Methods').digest('hex').slice(0, 16)}.js`
const hash = `sha256-${'A'.repeat(43)}=`

test('the built files are read', async () => {
  const { folder, write } = await emptyFolder()
  await write('tillwright.js', 'Tillwright')
  await write('card.html', '<html data-frame="{{frame}}">')
  await write('card.json', JSON.stringify({ scripts: [hash], style: hash, languages }))
  await write('languages/fr.json', '["fr"]')
  await write('pinned.json', JSON.stringify({ tillwright: PINNED, wallets: WALLETS, methods: METHODS }))
  await write(`pinned/${PINNED}`, 'Tillwright')
  await write(`pinned/${WALLETS}`, 'Wallets')
  await write(`pinned/${METHODS}`, 'Methods')
  await write('methods/de.json', '{}')
  await write('threeds.js', 'authenticate')
  await write('wallets.js', 'wallets')
  await write('methods.js', 'methods')
  await write('threeds.html', '<html lang="{{lang}}">')
  await write('threeds.json', JSON.stringify({ scripts: [hash], style: hash, texts: { en: texts } }))
  expect(await readFrameFiles(folder)).toEqual({
    outcome: 'read',
    loader: Buffer.from('Tillwright'),
    pinned: {
      current: { file: PINNED, integrity: `sha384-${createHash('sha384').update('Tillwright').digest('base64')}` },
      wallets: { file: WALLETS, integrity: `sha384-${createHash('sha384').update('Wallets').digest('base64')}` },
      methods: { file: METHODS, integrity: `sha384-${createHash('sha384').update('Methods').digest('base64')}` },
      files: new Map([
        [PINNED, new TextEncoder().encode('Tillwright')],
        [WALLETS, new TextEncoder().encode('Wallets')],
        [METHODS, new TextEncoder().encode('Methods')],
      ]),
    },
    cardHtml: '<html data-frame="{{frame}}">',
    hashes: { scripts: [hash], style: hash },
    languages: { hash: languages, files: new Map([['fr.json', new TextEncoder().encode('["fr"]')]]) },
    threedsScript: Buffer.from('authenticate'),
    walletsScript: Buffer.from('wallets'),
    methodsScript: Buffer.from('methods'),
    methodLanguages: new Map([['de.json', new TextEncoder().encode('{}')]]),
    threeds: {
      html: '<html lang="{{lang}}">',
      hashes: { scripts: [hash], style: hash },
      texts: new Map([['en', texts]]),
    },
  })
})

test('a checkout that is not built is said in one line', async () => {
  const { folder, write } = await emptyFolder()
  await write('card.html', '')
  expect(await readFrameFiles(folder)).toEqual({
    outcome: 'not_built',
    message: 'The checkout is not built: run `pnpm build`.',
  })
})

test.each([
  ['scripts', ["'unsafe-inline'"]],
  ['style', `${hash} *`],
  ['languages', '../../api'],
])('a hash of the %s that could add to a policy or an address is not taken', async (name, value) => {
  const { folder, write } = await emptyFolder()
  await write('tillwright.js', '')
  await write('card.html', '')
  await write('card.json', JSON.stringify({ scripts: [hash], style: hash, languages, [name]: value }))
  await write('pinned.json', JSON.stringify({ tillwright: PINNED, wallets: WALLETS, methods: METHODS }))
  await write('threeds.js', '')
  await write('wallets.js', '')
  await write('methods.js', '')
  await write('threeds.html', '')
  await write('threeds.json', JSON.stringify({ scripts: [hash], style: hash, texts: {} }))
  await expect(readFrameFiles(folder)).rejects.toThrow(name)
})

test('a pinned loader whose name is not that of its content is not served', async () => {
  const { folder, write } = await emptyFolder()
  await write('tillwright.js', '')
  await write('card.html', '')
  await write('card.json', JSON.stringify({ scripts: [hash], style: hash, languages }))
  await write('pinned.json', JSON.stringify({ tillwright: PINNED, wallets: WALLETS, methods: METHODS }))
  await write(`pinned/${PINNED}`, 'something else')
  await write('threeds.js', '')
  await write('wallets.js', '')
  await write('methods.js', '')
  await write('threeds.html', '')
  await write('threeds.json', JSON.stringify({ scripts: [hash], style: hash, texts: {} }))
  await expect(readFrameFiles(folder)).rejects.toThrow(PINNED)
})

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'frame-files-'))
  onTestFinished(() => rm(path, { recursive: true }))
  await mkdir(join(path, 'languages'))
  await mkdir(join(path, 'methods'))
  await mkdir(join(path, 'pinned'))
  return { folder: pathToFileURL(`${path}/`), write: (name: string, text: string) => writeFile(join(path, name), text) }
}
