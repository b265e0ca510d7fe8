import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { tokensCss } from '@tillwright/design-tokens'
import { contractCurrencies, contractNames, contractTable } from './contract-table.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Gives the pages what they need of the contract, in several modules because not every page offers names or currencies, and the design's tokens. */
function valuesOfOthers(): Plugin {
  const values: Readonly<Record<string, () => string>> = {
    'virtual:operations': () => `export const operations = ${JSON.stringify(contractTable())}`,
    'virtual:currencies': () => `export const currencies = ${JSON.stringify(contractCurrencies())}`,
    'virtual:names': () => `export const names = ${JSON.stringify(contractNames())}`,
    'virtual:tokens.css': () => tokensCss(),
  }
  return {
    name: 'values-of-others',
    resolveId: (id) => (id in values ? `\0${id}` : null),
    load: (id) => values[id.slice(1)]?.() ?? null,
  }
}

/**
 * Builds the console: `index.html` and files with a hash in their names, each with its Brotli-compressed form.
 *
 * @param folder Where to; `dist` by default.
 */
export async function buildConsole(folder: string = fileURLToPath(new URL('dist/', import.meta.url))): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: '/console/',
    plugins: [valuesOfOthers()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0, // The policy of the pages allows no data: addresses.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: 'manifest.json',
      license: { fileName: 'LICENSES.md' }, // of what is bundled
    },
  })
  const assets = new URL('assets/', `file://${folder.endsWith('/') ? folder : `${folder}/`}`)
  await Promise.all((await readdir(assets)).map((name) => compress(new URL(name, assets))))
}

async function compress(file: URL): Promise<void> {
  await writeFile(new URL(`${file.href}.br`), await promisify(brotliCompress)(await readFile(file)))
}

if (import.meta.main) await buildConsole()
