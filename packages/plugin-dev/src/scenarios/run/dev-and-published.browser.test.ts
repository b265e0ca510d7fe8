import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import { buildPlugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { stagePlatform, type StagePlatform } from '../../testing/dev-stage.ts'
import { comparePictures } from './compare-pictures.ts'
import { devHost } from './dev-host.ts'
import { lookAtPage } from './look-at-page.ts'
import { openBrowser } from './open-browser.ts'
import { publishedHost } from './published-host.ts'
import { viewportOf } from './viewport-of.ts'
import type { Scenario } from '../scenario.ts'

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([openBrowser(), stagePlatform()])
})
afterAll(async () => {
  await Promise.all([browser.close(), platform.remove()])
})

const folder = join(import.meta.dirname, '../../../../../apps/one-page-checkout')

/** A look, a window and a language each time other ones. `tillwright test --update` and `test --built` do it for all. */
const scenarios: readonly Scenario[] = [
  { name: 'Plain', preset: 'plain', card: 'success' },
  { name: 'Night in German', preset: 'night', viewport: 'phone', locale: 'de-DE', country: 'DE', currency: 'EUR' },
]

/** The policy that a page is served with, with a word in the place of the API's origin, which pages reach here by another one. */
async function policyOf(url: string, apiUrl: string): Promise<string> {
  const page = await browser.newPage()
  const response = await page.goto(url, { waitUntil: 'commit' })
  await page.close()
  return (response?.headers()['content-security-policy'] ?? '').replaceAll(new URL(apiUrl).origin, 'API')
}

test('what is shown while a plugin is written is what is published, in each scenario, by the same policy', async () => {
  const { plugin, files } = await buildPlugin(folder, { environment: {}, target: 'test' })
  if (plugin === null) throw new Error('The plugin has errors.')
  const { apiKey, apiUrl, storeId } = await platform.find()
  const client = createClient({ apiKey, baseUrl: apiUrl })
  const { deployment } = await client.plugins.deploy({
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
  const { url } = await dev.prepare({ name: 'Policy' })
  const policy = await policyOf(url, url)
  const own = / 'nonce-[\w+/]+={0,2}'| ws:\/\/localhost:\d+/g
  expect(policy.match(own)).toHaveLength(2)
  expect(policy.replaceAll(own, '')).toBe(await policyOf(deployment?.url ?? '', apiUrl))
  for (const scenario of scenarios) {
    const look = { viewport: viewportOf(scenario), locale: scenario.locale ?? 'en-US' }
    const written = await lookAtPage(browser, await dev.prepare(scenario), look)
    const served = await lookAtPage(browser, await published.prepare(scenario), look)
    expect([written.problems, served.problems], scenario.name).toEqual([[], []])
    expect(await comparePictures(written.picture, served.picture), scenario.name).toEqual({ outcome: 'same' })
  }
})
