import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type StageFiles, stageFolder, stagePlatform, type StagePlatform } from '../../test/dev-stage.ts'
import { shopFiles } from '../../test/shop-plugin.ts'
import type { Scenario } from '../scenarios/index.ts'
import { openBrowser } from './browser.ts'
import { devHost } from './hosts.ts'
import { keepBaselines, testScenarios } from './scenario-tests.ts'

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([openBrowser(), stagePlatform()])
})
afterAll(async () => {
  await Promise.all([browser.close(), platform.remove()])
})

/** A file of the shop, which are all text but for the manifest. */
const fileOf = (path: string) => {
  const content = shopFiles[path]
  return typeof content === 'string' ? content : ''
}
const labelled = fileOf('src/pay.tsx').replace('name="email"', 'name="email" aria-label="E-mail"')
const sound = { ...shopFiles, 'src/pay.tsx': labelled }

/** A plugin in a folder, whose scenarios can be tested again and again. */
async function tested(files: StageFiles) {
  const root = await stageFolder(files)
  const { plugin } = await readPlugin(root)
  if (plugin === null) throw new Error('The plugin has errors.')
  const host = await devHost(plugin, { findPlatform: platform.find })
  onTestFinished(host.stop)
  const run = (...scenarios: Scenario[]) =>
    testScenarios({ root, browser, host, scenarios, pageBytesMax: null, tell: () => {} })
  return { root, run }
}

test('a scenario is seen with its preset in its window, and nothing is wrong with a page that is right', async () => {
  const { root, run } = await tested(sound)
  const results = await run(
    { name: 'Plain' },
    { name: 'Loud phone', preset: 'loud', viewport: 'phone' },
    { name: 'Thanks', page: 'thanks', params: { orderId: 'order_1' } },
  )
  expect(results.map(({ id, problems, baseline }) => ({ id, problems, baseline }))).toEqual([
    { id: 'plain', problems: [], baseline: null },
    { id: 'loud-phone', problems: [], baseline: null },
    { id: 'thanks', problems: [], baseline: null },
  ])
  const sizes = await Promise.all(
    results.map(async ({ picture }) => (await readFile(join(root, picture))).readUInt32BE(16)), // of the PNG's header
  )
  expect(sizes).toEqual([1_280, 390, 1_280])
})

test('errors, what is said to the console, missing labels and fields for cards are told', async () => {
  const { run } = await tested({
    ...shopFiles,
    'src/pages/pay.tsx': `${fileOf('src/pages/pay.tsx')}
console.error('no good: fstok_secret1')
void Promise.reject(new Error('lost'))
`,
  })
  const [result] = await run({ name: 'Plain' })
  const said = result?.problems.map(({ kind, message }) => `${kind}: ${message}`).join('\n')
  expect(said).toContain('console: no good: fstok_... (')
  expect(said).toContain('error: Error: lost')
  expect(said).toContain('accessibility: Form elements must have labels (label): input')
})

test('a picture that was kept is compared with, and where they differ is shown', async () => {
  const { root, run } = await tested(sound)
  const plain = { name: 'Shop', preset: 'plain' } as const
  await keepBaselines(root, await run(plain))
  expect(await run(plain)).toMatchObject([{ baseline: 'same', problems: [] }])
  expect(await run({ ...plain, preset: 'loud' })).toMatchObject([
    { baseline: 'differs', problems: [{ kind: 'picture' }] },
  ])
  expect((await stat(join(root, '.tillwright/screenshots/shop.difference.png'))).size).toBeGreaterThan(0)
})
