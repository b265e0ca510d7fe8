import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import { buildPlugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import { stagePlatform, type StagePlatform } from '../../test/dev-stage.ts'
import { readScenarios, type Scenario, viewportOf } from '../scenarios/index.ts'
import { openBrowser } from './browser.ts'
import { devHost, publishedHost } from './hosts.ts'
import { screenshotPage } from './page-check.ts'
import { compareScreenshots } from './screenshots.ts'

/** Two dozen pages, of which each is opened twice, on a machine that has other things to do. */
const TIMEOUT_MS = 600_000

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([openBrowser(), stagePlatform()])
})
afterAll(async () => {
  await Promise.all([browser.close(), platform.remove()])
})

/** The policy that a page is served with, with a word in the place of the API's origin, which pages reach here by another one. */
async function policyOf(url: string, apiUrl: string): Promise<string> {
  const page = await browser.newPage()
  const response = await page.goto(url, { waitUntil: 'commit' })
  await page.close()
  return (response?.headers()['content-security-policy'] ?? '').replaceAll(new URL(apiUrl).origin, 'API')
}

/** The plugin's scenarios as it is written, and as its deployment serves them. */
async function bothHosts(name: string) {
  const folder = join(import.meta.dirname, '../../../../apps', name)
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
  const presets = Object.keys(plugin.configuration.presets)
  const { url } = await dev.prepare({ name: 'Policy' })
  const policies = await Promise.all([policyOf(url, url), policyOf(deployment?.url ?? '', apiUrl)])
  return { scenarios: scenarios ?? [], presets, hosts: [dev, published], policies }
}

/** The first scenario of each page. */
function differing(scenarios: readonly Scenario[]): Scenario[] {
  return scenarios.filter(({ page }, index) => scenarios.findIndex((other) => other.page === page) === index)
}

/** A soak sees every scenario with every preset. */
function atLength(scenarios: readonly Scenario[], presets: readonly string[]): Scenario[] {
  return presets.flatMap((preset) =>
    scenarios.map((scenario) => ({ ...scenario, name: `${scenario.name}, ${preset}`, preset })),
  )
}

test.each(
  firstOf([
    ['offer-funnel', 3],
    ['one-page-checkout', 4],
  ] as const),
)(
  'what is shown while %s is written is what is published, by the same policy',
  { timeout: TIMEOUT_MS },
  async (name, count) => {
    const { scenarios, presets, hosts, policies } = await bothHosts(name)
    const own = / 'nonce-[\w+/]+={0,2}'| ws:\/\/localhost:\d+/g
    expect(policies[0]?.match(own)).toHaveLength(2)
    expect(policies[0]?.replaceAll(own, '')).toBe(policies[1])
    const seen = soaks ? atLength(scenarios, presets) : differing(scenarios)
    expect(seen.length).toBeGreaterThanOrEqual(count)
    for (const scenario of seen) {
      const look = { viewport: viewportOf(scenario), locale: scenario.locale ?? 'en-US' }
      const screenshots = hosts.map(async (host) => screenshotPage(browser, await host.prepare(scenario), look))
      const [written, served] = await Promise.all(screenshots)
      if (!written || !served) throw new Error('Both are seen.')
      expect([written.problems, served.problems], scenario.name).toEqual([[], []])
      expect(await compareScreenshots(written.screenshot, served.screenshot), scenario.name).toEqual({
        outcome: 'same',
      })
    }
  },
)
