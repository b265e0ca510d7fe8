import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import { buildPlugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { stagePlatform, type StagePlatform } from '../../testing/dev-stage.ts'
import { readScenarios } from '../read-scenarios.ts'
import { comparePictures } from './compare-pictures.ts'
import { devHost } from './dev-host.ts'
import { picturePage } from './look-at-page.ts'
import { openBrowser } from './open-browser.ts'
import { publishedHost } from './published-host.ts'
import { viewportOf } from './viewport-of.ts'

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([openBrowser(), stagePlatform()])
})
afterAll(async () => {
  await Promise.all([browser.close(), platform.remove()])
})

/** The plugin's scenarios as it is written, and as its deployment serves them. */
async function bothHosts(name: string) {
  const folder = join(import.meta.dirname, '../../../../../apps', name)
  const { plugin, files } = await buildPlugin(folder, { environment: {}, target: 'test' })
  if (plugin === null) throw new Error('The plugin has errors.')
  const { apiKey, apiUrl, storeId } = await platform.find()
  const { deployment } = await createClient({ apiKey, baseUrl: apiUrl }).plugins.deploy({
    storeId: storeId ?? '',
    manifest: plugin.manifest,
    inlineAssets: files.map(({ path, bytes, contentType }) => ({
      path,
      contentType,
      content: Buffer.from(bytes).toString('base64'),
      encoding: 'base64' as const,
    })),
  })
  const published = await publishedHost(plugin, { findPlatform: platform.find, url: deployment?.url ?? '' })
  const dev = await devHost(plugin, { findPlatform: platform.find })
  onTestFinished(dev.stop)
  const { scenarios } = await readScenarios(plugin)
  return { scenarios: scenarios ?? [], hosts: [dev, published] }
}

test.each([
  ['one-page-checkout', 10],
  ['offer-funnel', 12],
])('what is shown while %s is written is what is published, in each of its scenarios', async (name, count) => {
  const { scenarios, hosts } = await bothHosts(name)
  expect(scenarios).toHaveLength(count)
  for (const scenario of scenarios) {
    const look = { viewport: viewportOf(scenario), locale: scenario.locale ?? 'en-US' }
    const seen = hosts.map(async (host) => picturePage(browser, await host.prepare(scenario), look))
    const [written, served] = await Promise.all(seen)
    if (!written || !served) throw new Error('Both are seen.')
    expect([written.problems, served.problems], scenario.name).toEqual([[], []])
    expect(await comparePictures(written.picture, served.picture), scenario.name).toEqual({ outcome: 'same' })
  }
})
