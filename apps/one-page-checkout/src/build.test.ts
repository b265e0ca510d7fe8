import { join } from 'node:path'
import { buildPlugin, pluginTypes, readPlugin } from '@tillwright/plugin-build'
import { readFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

test('the plugin builds without a problem, its first page with at most 45 kB of script', async () => {
  const { problems, files, report } = await buildPlugin(ROOT, { environment: {}, target: null })
  expect(problems).toEqual([])
  const page = report?.pages.find(({ id }) => id === 'checkout')
  const first = page?.files.map(({ path }) => path) ?? []
  const scripts = files.filter(({ path }) => first.includes(path) && path.endsWith('.js'))
  const sizes = scripts.map(({ bytes }) => brotliCompressSync(bytes).length)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(45_000)
})

test('its types are those of its settings', async () => {
  const { plugin } = await readPlugin(ROOT)
  expect(plugin && pluginTypes(plugin)).toBe(await readFile(join(ROOT, 'plugin-env.d.ts'), 'utf8'))
})
