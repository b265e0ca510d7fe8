import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPlugin, PLUGIN_TYPES_FILE, pluginTypes } from '@tillwright/plugin-build'
import { expect, test } from 'vitest'
import { pluginFolder } from './funnel-shop.ts'

test('the plugin builds without a problem, and keeps its budget', async () => {
  const { plugin, problems, report } = await buildPlugin(pluginFolder, { environment: {}, target: 'live' })
  expect(problems).toEqual([])
  expect(report?.pages.map(({ id }) => id)).toEqual(['landing', 'offer', 'checkout', 'upsell', 'downsell', 'thank-you'])
  const types = await readFile(join(pluginFolder, PLUGIN_TYPES_FILE), 'utf8')
  expect(types).toBe(plugin === null ? '' : pluginTypes(plugin))
})

test('what follows the landing page is loaded when it is wanted', async () => {
  const { report } = await buildPlugin(pluginFolder, { environment: {}, target: null })
  const [landing] = report?.pages ?? []
  const names = landing?.lazyFiles.map((path) => path.replace(/^assets\/|-[A-Z0-9]{8}\.js$/g, '')) ?? []
  expect(names).toEqual(expect.arrayContaining(['offer', 'checkout', 'add-on', 'thank-you', 'de', 'fr', 'es', 'ar']))
})
