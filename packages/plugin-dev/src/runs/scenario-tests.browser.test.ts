import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
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
    results.map(async ({ screenshot }) => (await readFile(join(root, screenshot))).readUInt32BE(16)), // of the PNG's header
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

test('a screenshot is compared with the baseline, and the difference is shown', async () => {
  const { root, run } = await tested(sound)
  const plain = { name: 'Shop', preset: 'plain' } as const
  await keepBaselines(root, await run(plain))
  expect(await run(plain)).toMatchObject([{ baseline: 'same', problems: [] }])
  const difference = '.tillwright/screenshots/shop.difference.png'
  expect(await run({ ...plain, preset: 'loud' })).toMatchObject([
    { baseline: 'differs', difference, problems: [{ kind: 'screenshot' }] },
  ])
  expect((await stat(join(root, difference))).size).toBeGreaterThan(0)
  if (soaks) {
    expect(await run({ ...plain, viewport: 'phone' })).toMatchObject([{ baseline: 'differs', difference }])
    const { width, height } = PNG.sync.read(await readFile(join(root, difference)))
    expect([width, height]).toEqual([1_280, 844])
  }
  expect(await run(plain)).toMatchObject([{ baseline: 'same', difference: null }])
  await expect(stat(join(root, difference))).rejects.toThrow('ENOENT')
})

/** A page that pays with the SDK. */
const payPage = (outcome: string) => `import { openPage } from '@tillwright/plugin-sdk'
const page = openPage()
document.getElementById('app')!.innerHTML =
  '<main><h1>Pay</h1><form><label>Email <input id="email" type="email" required></label><div id="card"></div>' +
  '<button disabled>Pay</button><p role="alert"></p></form></main>'
const [form, button] = [document.querySelector('form')!, document.querySelector('button')!]
void page.session.ready().then(async () => {
  const card = await page.pay.mount('#card')
  card.on('ready', () => (button.disabled = false))
})
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  await page.customer.setContact({ email: document.querySelector('input')!.value })
  const { outcome } = await page.pay.withCard()
  ${outcome}
})
`
const tellsOutcome =
  "if (outcome === 'paid') await page.next()\n  else document.querySelector('p')!.textContent = outcome"

test('a scenario types the card of its outcome, and is seen when the order is paid, the card declined or the bank asks', async () => {
  const { root, run } = await tested({ ...sound, 'src/pages/pay.tsx': payPage(tellsOutcome) })
  const paid = {
    name: 'Paid with a code',
    until: 'paid',
    card: 'threeds',
    threeds: 'challenge',
    currency: 'EUR',
    viewport: 'phone',
  } as const
  const declined = { name: 'Declined', until: 'declined', viewport: 'phone' } as const
  const more = [
    { name: 'Not paid', viewport: 'phone' },
    { name: 'The bank asks', until: 'challenge', viewport: 'phone' },
  ] as const
  const scenarios = [paid, declined, ...(soaks ? more : [])]
  const results = await run(...scenarios)
  expect(results.map(({ problems }) => problems)).toEqual(scenarios.map(() => []))
  const screenshots = await Promise.all(results.map(({ screenshot }) => readFile(join(root, screenshot), 'base64')))
  expect(new Set(screenshots).size).toBe(scenarios.length)
})

test('a scenario that does not get where it is to pay until says why, and so does one whose page tells nothing', async () => {
  const { run } = await tested({ ...sound, 'src/pages/pay.tsx': payPage('void outcome') })
  const cases = firstOf<[Scenario, string]>([
    [
      { name: 'Nothing is told', until: 'declined', viewport: 'phone' },
      'payment: The page looks the same after the payment was declined.',
    ],
    [
      { name: 'Another outcome', until: 'declined', card: 'success', viewport: 'phone' },
      'payment: The payment should be declined, but it is paid.',
    ],
    [
      { name: 'No card form', until: 'paid', page: 'thanks', viewport: 'phone' },
      'payment: The page has no card form to pay with.',
    ],
  ])
  const results = await run(...cases.map(([scenario]) => scenario))
  expect(results.map(({ problems }) => problems.map(({ kind, message }) => `${kind}: ${message}`))).toEqual(
    cases.map(([, message]) => [message]),
  )
})
