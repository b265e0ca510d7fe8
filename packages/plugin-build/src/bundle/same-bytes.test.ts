import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'

const files = {
  'tsconfig.json': '{"compilerOptions": {"jsx": "react-jsx", "jsxImportSource": "preact"}}',
  'src/pages/a.tsx': `import { render } from 'preact'
import { shared } from '../shared.ts'
import logo from '../logo.png'
const worker = new Worker(new URL('../count.ts', import.meta.url), { type: 'module' })
worker.onmessage = async () => render(<img src={logo} alt={shared} />, (await import('../later.tsx')).place)`,
  'src/pages/b.tsx':
    "import { useState } from 'preact/hooks'\nimport { shared } from '../shared.ts'\nexport const b = [useState, shared]\nvoid import('./a.tsx')",
  'src/later.tsx': "import './later.module.css'\nexport const place = document.body\nvoid import('./pages/b.tsx')",
  'src/later.module.css': '.a { color: red } .b { background: url(./logo.png) }',
  'src/shared.ts': 'export const shared = String(Math.random())',
  'src/count.ts': "import { shared } from './shared.ts'\npostMessage(shared)",
  'src/logo.png': 'image',
  'public/a/b.txt': 'b',
}
const pages = ['a', 'b'].map((id) => ({ id, path: `/${id}`, name: id, entry: `src/pages/${id}.tsx` }))

/** Builds in a separate process and returns the names and hashes of all files. */
async function buildIn(root: string, cwd: string, environment: Record<string, string>): Promise<string[]> {
  const module = join(import.meta.dirname, 'bundler.ts')
  const options = JSON.stringify(bundleOptions(root, { pages }))
  const script = `const { bundlePlugin } = await import(${JSON.stringify(module)})
const { files, problems } = await bundlePlugin(${options})
console.log(JSON.stringify([...problems, ...files.map((file) => file.path + ' ' + file.sha256)]))
process.exit()`
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd, env })
  return JSON.parse(stdout)
}

test('a plugin has the same files, byte for byte, in any folder, from any working directory, in any time zone', async () => {
  const [near, far] = [await folderWithPackages(files), await folderWithPackages(files, 'a/much/deeper/folder')]
  const [first, second] = await Promise.all([
    buildIn(near, near, { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' }),
    buildIn(far, '/', { TZ: 'America/Lima', NODE_ENV: 'development' }),
  ])
  expect(first.map((line) => line.replace(/-[A-Z2-7]{8}.*/, ''))).toContain('assets/count')
  expect(first).toHaveLength(20)
  expect(second).toEqual(first)
})

test('a tsconfig.json in a parent folder is ignored', async () => {
  const { 'tsconfig.json': _, ...others } = files
  const root = await folderWithPackages(others)
  const below = await folderWithPackages(
    { '../tsconfig.json': '{"compilerOptions": {"jsx": "react"}}', ...others },
    'plugin',
  )
  expect(await buildIn(below, '/', {})).toEqual(await buildIn(root, '/', {}))
})
