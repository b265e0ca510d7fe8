import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLUGIN_TYPES_FILE, pluginTypes, readPlugin } from '@tillwright/plugin-build'
import { expect, onTestFinished, test } from 'vitest'
import { pluginFolder } from './plugin-folder.ts'

const tsc = fileURLToPath(new URL('./bin/tsc', import.meta.resolve('typescript/package.json')))
const root = join(import.meta.dirname, '../../..')

const manifest = {
  pluginId: 'bags',
  name: 'Bags',
  version: '1.0.0',
  pages: [{ id: 'checkout', path: '/checkout' }],
  configuration: {
    schema: {
      type: 'object',
      required: ['headline', 'variantId'],
      properties: { headline: { type: 'object', format: 'translation' }, variantId: { type: 'string' } },
    },
    presets: { plain: { headline: { en: 'Checkout' }, variantId: 'variant_1' } },
  },
}
const compilerOptions = {
  noEmit: true,
  strict: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  jsxImportSource: 'preact',
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
}

test("the documentation's example compiles with the output of `tillwright types`, and an unknown key does not", async () => {
  const manual = await readFile(join(root, 'apps/docs/pages/plugins/sdk.md'), 'utf8')
  const [, page = ''] = /```tsx\n(.*?)```/s.exec(manual) ?? []
  const folder = await pluginFolder({
    'plugin.manifest.json': JSON.stringify(manifest),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src', PLUGIN_TYPES_FILE] }),
    'src/pages/checkout.tsx': page,
    'src/wrong.ts': "import { openPage } from '@tillwright/plugin-sdk'\nopenPage().config.get().headlines\n",
  })
  onTestFinished(() => rm(folder, { recursive: true }))
  const { plugin, problems } = await readPlugin(folder)
  expect(problems).toEqual([])
  await writeFile(join(folder, PLUGIN_TYPES_FILE), plugin === null ? '' : pluginTypes(plugin))
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (_, text) => resolve(text))
  })
  expect(output.match(/^.*error.*$/gm)).toEqual([expect.stringMatching(/^src\/wrong\.ts\(2,25\): error TS2551/)])
})
