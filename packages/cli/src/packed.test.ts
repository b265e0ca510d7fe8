import { execFile } from 'node:child_process'
import { access, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { installPacked, type Installed } from './testing/install-packed.ts'

/** The maximum installed size of the command line and its dependencies, without the platform, in bytes. */
const INSTALLED_MAX_BYTES = 15_000_000

let installed: Installed
beforeAll(async () => {
  installed = await installPacked()
  return installed.remove
}, 180_000)

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('the package installs with esbuild only, in less than 15 MB', async () => {
  const folder = join(installed.folder, 'node_modules')
  expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual([
    '@esbuild',
    '@tillwright',
    'esbuild',
  ])
  expect(await readdir(join(folder, '@tillwright'))).toEqual(['cli'])
  expect(await sizeOf(folder)).toBeLessThan(INSTALLED_MAX_BYTES)
})

test('the package has its version, every command and the licenses of its contents', async () => {
  const { tillwright, folder } = installed
  expect(await tillwright(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  expect((await tillwright(['help', 'build'])).out).toContain('TILLWRIGHT_BUILD_OUT')
  const licenses = await readFile(join(folder, 'node_modules/@tillwright/cli/dist/LICENSES.txt'), 'utf8')
  for (const name of ['commander', 'zod', 'ajv', 're2js']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'))
})

test('the $schema of every template names a file that the package brings along', async () => {
  const templates = join(import.meta.dirname, '../../../templates')
  for (const template of ['blank', 'checkout', 'funnel']) {
    const { $schema } = JSON.parse(await readFile(join(templates, template, 'plugin.manifest.json'), 'utf8'))
    const schema = JSON.parse(await readFile(join(installed.folder, $schema), 'utf8'))
    expect(schema).toMatchObject({ type: 'object', properties: { pluginId: { type: 'string' } } })
  }
})

test('the packed command creates, checks, types and builds a plugin', async () => {
  const { tillwright, folder } = installed
  expect(await tillwright(['init', 'shop', '--yes'])).toMatchObject({ code: 0, err: '' })
  expect(await tillwright(['validate', 'shop'])).toEqual({ code: 0, out: 'The plugin is valid.\n', err: '' })
  expect(await tillwright(['types', 'shop'])).toMatchObject({ code: 0, err: '' })
  const { out, ...built } = await tillwright(['build', 'shop', '--json'])
  expect(built).toEqual({ code: 0, err: '' })
  for (const { path } of JSON.parse(out).files) await access(join(folder, 'shop/dist', path))
})

test('without the platform’s package, commands that need it say how to install it', async () => {
  const { code, out, err } = await installed.tillwright(['start'])
  expect([code, out]).toEqual([1, ''])
  expect(err).toBe(
    `error This command requires the platform, which is a separate package: install it with "npm install @tillwright/platform@${manifest.version}".\n`,
  )
  const asked = await installed.tillwright(['keys', 'list', '--json'])
  expect([asked.code, JSON.parse(asked.out).error.code]).toEqual([1, 'failed'])
  expect((await installed.tillwright(['whoami'])).code).toBe(2)
  const dev = await installed.tillwright(['dev', 'shop'])
  expect([dev.code, dev.err]).toEqual([
    1,
    expect.stringContaining(`npm install @tillwright/plugin-dev@${manifest.version}`),
  ])
  expect((await installed.tillwright(['help', 'dev'])).out).toContain('TILLWRIGHT_DEV_PORT')
})

test('with the platform installed next to it, errors that an operator can fix are one line', async () => {
  const main = join(import.meta.dirname, '../dist/main.js') // the workspace has the platform next to it
  const env = { ...process.env, NO_COLOR: '1', TILLWRIGHT_PORT: 'none' }
  const err = await new Promise((resolve) =>
    execFile(process.execPath, [main, 'start'], { env }, (...[, , text]) => resolve(text)),
  )
  expect(err).toMatch(/^error TILLWRIGHT_PORT: .+\n$/)
})
