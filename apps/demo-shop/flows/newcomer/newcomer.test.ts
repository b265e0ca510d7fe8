import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalFile } from '@tillwright/platform'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi, type TestContext } from 'vitest'
import { chromiumPath, sharedChromium } from '../../../../.ci/chromium.ts'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import cli from '../../../../packages/cli/package.json' with { type: 'json' }
import { arrive, type Newcomer, type PackageManager, type Running } from './newcomer.ts'
import { expectReference, preparePlace, readmeSnippets, type Place } from './place.ts'
import { receiveWebhooks } from './receive-webhooks.ts'

/** The bank wants to see the buyer, and asks for a code. */
const CHALLENGED = '4000002760003184'

let place: Place
let browser: Browser
beforeAll(async () => {
  place = await preparePlace()
  browser = await sharedChromium()
}, 300_000)
afterAll(() => place?.stop())

/** A plugin that the newcomer has made. */
interface Made {
  folder: string
  somebody: Newcomer
  /** Runs the `tillwright` that was installed with the plugin, to its end. */
  tillwright: (args: readonly string[], settings?: Readonly<Record<string, string>>) => Promise<string>
  onTestFinished: TestContext['onTestFinished']
}

/** Translates the README's npm commands for each package manager. */
const spoken: Record<PackageManager, (line: string) => string> = {
  npm: (line) => line,
  pnpm: (line) =>
    line
      .replace('npm create @tillwright/plugin my-shop --', 'pnpm create @tillwright/plugin my-shop')
      .replace('npx', 'pnpm exec'),
}

test('a page that the developer has open cannot publish to the registry', async () => {
  const body = JSON.stringify({
    name: '@tillwright/cli',
    'dist-tags': { latest: '9.9.9' },
    versions: {},
    _attachments: {},
  })
  const headers = { 'Content-Type': 'application/json', Origin: 'https://attacker.example' }
  const address = `${place.registry.url}@tillwright%2fcli`
  for (const method of ['PUT', 'POST', 'DELETE', 'OPTIONS'])
    expect([method, (await fetch(address, { method, headers, body })).status]).toEqual([method, 403])
  expect(await (await fetch(address)).json()).toMatchObject({ 'dist-tags': { latest: cli.version } })
})

// In parallel in a soak, because both mostly wait for downloads.
test.concurrent.for(firstOf(['npm', 'pnpm'] as const))(
  'with %s, from nothing to a plugin that is paid on, by the lines of the README (in a soak npm on Node 20)',
  { timeout: 600_000 },
  async (manager, { onTestFinished }) => {
    const home = join(place.folder, manager)
    const somebody = await arrive(home, manager === 'npm' ? place.node : process.execPath)
    const [configure = '', create = '', enter, dev, check = '', publish = ''] = pluginLines()
    await somebody.run(home, ['sh', '-c', configure.replace('http://127.0.0.1:4873/', place.registry.url)])
    await somebody.run(home, ['sh', '-c', spoken[manager](create)])
    expect([enter, dev]).toEqual(['cd my-shop', 'npm run dev'])
    const folder = join(home, 'my-shop')
    const tillwright: Made['tillwright'] = (args, settings) =>
      somebody.run(
        folder,
        ['sh', '-c', [spoken[manager](publish).replace(' publish', ''), ...args].join(' ')],
        settings,
      )
    await seeAnEdit(folder, somebody.start(folder, ['dev', '--json', '--port', '0']))
    await somebody.run(folder, ['sh', '-c', check.replace('npm', manager)])
    // Which ends with 3 where a scenario has problems; the tests of the templates look at their pages, too.
    if (soaks) await somebody.run(folder, [manager, 'run', 'test:pages'], { CHROME_PATH: await chromiumPath() })
    await publishAndBuy({ folder, somebody, tillwright, onTestFinished })
  },
)

/** The commands that make a plugin of its own, in their order. */
function pluginLines(): string[] {
  const [, , block = ''] = readmeSnippets()
  return block
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
}

/** Opens the page that is being written, types into it, changes its source and its settings, and sees both. */
async function seeAnEdit(folder: string, dev: Running): Promise<void> {
  const { url } = await dev.event('ready')
  const page = await open(url)
  await page.getByLabel('Email').fill('ada@shop.example')
  const summary = join(folder, 'src/components/summary.tsx')
  await writeFile(summary, (await readFile(summary, 'utf8')).replace('<section', '<section data-edited'))
  await page.locator('[data-edited]').waitFor({ state: 'attached' })
  const preset = join(folder, 'config/presets/day.json')
  await writeFile(preset, (await readFile(preset, 'utf8')).replace('"Checkout"', '"Our till"'))
  await page.getByRole('heading', { name: 'Our till' }).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@shop.example')
  await page.close()
  await dev.stop()
}

/** Publishes to a platform in another process, buys there with a card of a bank that asks, and gets the signed webhook. */
async function publishAndBuy({ folder, somebody, tillwright, onTestFinished }: Made): Promise<void> {
  const second = join(folder, '../second')
  await mkdir(second)
  const receiver = await receiveWebhooks()
  const platform = somebody.start(folder, ['start', '--shop', receiver.url], second)
  onTestFinished(async () => {
    await platform.stop()
    await receiver.stop()
  })
  await vi.waitFor(() => expect(platform.printed()).toContain('Tillwright is running.'), { timeout: 60_000 })
  const local: LocalFile = JSON.parse(await readFile(join(second, '.tillwright/local.json'), 'utf8'))
  await expectReference(local.apiUrl)
  const published = await tillwright(['publish', '--json'], { TILLWRIGHT_HOME: join(second, '.tillwright') })
  const [address] = JSON.parse(published).published.addresses
  const page = await open(address)
  await page.getByText('$').first().waitFor() // a product of the store, which publishing has picked
  await pay(page)
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await receiver.paid(local.webhookSecret)
  await page.close()
}

/** Types the card key by key and gives the bank its code. */
async function pay(page: Page): Promise<void> {
  const card = page.frameLocator('form iframe')
  await page.getByLabel('Email').fill('ada@shop.example')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  for (const [label, keys] of [
    ['Card number', CHALLENGED],
    ['Expiry date', '1234'],
    ['Security code', '123'],
  ] as const) {
    await card.getByLabel(label).pressSequentially(keys)
  }
  await page.getByRole('button', { name: /^Pay/ }).click()
  const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
  await bank.getByLabel(/code/i).fill('1234')
  await bank.getByRole('button', { name: /confirm|continue|submit/i }).click()
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}
