import type { Browser, Page, ViewportSize } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { firstOf } from '../../../.ci/soaks.ts'
import { checkAccessibility } from '../src/runs/page-check.ts'
import { devStage, type DevStage, stagePlatform, type StagePlatform } from './dev-stage.ts'
import { shopFiles } from './shop-plugin.ts'

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([sharedChromium(), stagePlatform()])
})
afterAll(() => platform.remove())

/** A page with its toolbar open. */
async function opened(): Promise<{ page: Page; url: string; dev: DevStage }> {
  const dev = await devStage(platform, shopFiles)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(dev.url)
  await page.getByRole('button', { name: 'Tillwright' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('open, 1 line, $24.00').waitFor()
  return { page, url: dev.url, dev }
}

/** Has the page itself say something in its session. */
function say(page: Page, path: string, body: object): Promise<void> {
  return page.evaluate(
    async ([at, sent]) => {
      const { session } = JSON.parse(document.getElementById('tillwright-data')?.textContent ?? '')
      const headers = { Authorization: `Bearer ${session.token}`, 'Content-Type': 'application/json' }
      await fetch(`/__tillwright/api/api/session/v1/session${at}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify(sent),
      })
    },
    [path, body] as const,
  )
}

test('it is opened with the keyboard, closed with Esc, and is as it was on the next page', async () => {
  const { page, url } = await opened()
  const pill = page.getByRole('button', { name: 'Tillwright' })
  await page.getByRole('tab', { name: 'Calls' }).click()
  await page.reload()
  await page.getByRole('tab', { name: 'Calls', selected: true }).waitFor()
  await page.getByRole('tab', { name: 'Session' }).click()
  await page.getByRole('button', { name: 'Thanks' }).click()
  await page.waitForURL(`${url}/thanks/preview`)
  await page
    .locator('[aria-current=step]')
    .getByText('Thanks')
    .or(page.getByText('Thanks', { exact: true }))
    .first()
    .waitFor()
  await pill.focus()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Calls' }).waitFor({ state: 'detached' })
  expect(await pill.getAttribute('aria-expanded')).toBe('false')
})

test('another scenario is begun from the page, with its preset and currency', async () => {
  const { page } = await opened()
  await page.getByRole('tab', { name: 'Scenario' }).click()
  await page.getByLabel('Preset').selectOption('loud')
  await page.getByLabel('Currency').selectOption('EUR')
  await page.getByRole('button', { name: 'Begin this session' }).click()
  await page.getByRole('heading', { name: 'LOUD' }).waitFor()
  await page.getByRole('tab', { name: 'Session' }).click()
  await page.getByText('open, 1 line, €22.00').waitFor()
})

test('a snapshot brings back what was said and where it was, in another session', async () => {
  const { page, url } = await opened()
  await say(page, '/contact', { email: 'ada@example.com' })
  await page.getByRole('tab', { name: 'Session' }).click()
  await expect.poll(() => page.locator('#resource-Customer pre').textContent()).toContain('"email": "•••"')
  const id = await page.locator('dd').first().textContent()
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await page.getByRole('button', { name: 'Thanks' }).click()
  await page.waitForURL(`${url}/thanks/preview`)
  await page.getByRole('button', { name: /^Restore/ }).click()
  await page.waitForURL(`${url}/`)
  await expect.poll(() => page.locator('#resource-Customer pre').textContent()).toContain('"email": "•••"')
  expect(await page.locator('dd').first().textContent()).not.toBe(id)
})

/** The violations that axe-core finds in an element of ours, in light and dark mode. */
async function complaintsAbout(name: string, page: Page): Promise<string[]> {
  const complaints: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const problems = await checkAccessibility(page)
    complaints.push(
      ...problems.flatMap(({ message }) => (message.includes(name) ? [`${colorScheme}: ${message}`] : [])),
    )
  }
  return complaints
}

test('requests are shown without tokens, and neither toolbar nor overlay is hard to use', async () => {
  const { page, dev } = await opened()
  await page.getByRole('tab', { name: 'Calls' }).click()
  await say(page, '/contact', { email: 'ada@example.com' })
  await page.getByText('PUT /api/session/v1/session/contact').click()
  const shown = await page.locator('details[open] pre').allTextContents()
  expect(shown).toEqual([expect.stringContaining('"email": "•••"'), expect.stringContaining('"isPreview": true')])
  expect(await page.locator('tillwright-toolbar').innerText()).not.toContain('fstok_')
  await page.getByRole('tab', { name: 'Session' }).click()
  for (const tab of ['Session', 'Scenario', 'Events', '3DS', 'Calls']) {
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
    expect(await complaintsAbout('tillwright-toolbar', page)).toEqual([])
    await page.keyboard.press('ArrowRight')
  }
  await dev.write('src/word.ts', 'export const word = (')
  await page.getByText('src/word.ts:1').waitFor()
  expect(await complaintsAbout('tillwright-overlay', page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByText('src/word.ts:1').waitFor({ state: 'detached' })
})

/** A checkout as on a phone: fields as wide as the window, and the button that pays at its lower end. */
const checkoutFiles = {
  ...shopFiles,
  'src/pages/pay.tsx': `import '../style.css'
document.getElementById('app')!.innerHTML =
  '<main><h1>Pay</h1><label>Email <input id="email"></label>' +
  '<label>Name <input id="name"></label><footer><button id="pay">Pay $24.00</button></footer></main>'
document.getElementById('pay')!.addEventListener('click', ({ target }) => {
  ;(target as HTMLElement).title = 'paid'
})
`,
  'src/style.css': `main { padding: 16px } label { display: block; margin-block: 16px } input { width: 100%; height: 44px; box-sizing: border-box }
footer { position: fixed; inset: auto 0 0; padding: 16px } #pay { width: 100%; height: 52px }
`,
}

/** The controls that an element of the toolbar covers. */
async function coveredBy(page: Page, name: string): Promise<string[]> {
  const shown = page.locator(`tillwright-toolbar ${name}`)
  const own = (await shown.count()) === 0 ? null : await shown.boundingBox()
  const controls = await page.locator('main :is(input, button)').all()
  const covered = await Promise.all(
    controls.map(async (control) => {
      const rect = await control.boundingBox()
      if (own === null || rect === null) return []
      const isApart =
        rect.x >= own.x + own.width ||
        own.x >= rect.x + rect.width ||
        rect.y >= own.y + own.height ||
        own.y >= rect.y + rect.height
      return isApart ? [] : [(await control.getAttribute('id')) ?? '']
    }),
  )
  return covered.flat()
}

const windows: [string, ViewportSize][] = [
  ['a short phone', { width: 320, height: 420 }],
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1_280, height: 800 }],
]

test.each(firstOf(windows))(
  'on %s it covers no control, wherever the page is scrolled, and gives way when one is used',
  async (_, viewport) => {
    const dev = await devStage(platform, checkoutFiles)
    const context = await browser.newContext({ viewport })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(8_000)
    await page.goto(dev.url)
    const pill = page.getByRole('button', { name: 'Tillwright' })
    await pill.waitFor()
    await expect.poll(() => coveredBy(page, '.pill')).toEqual([])
    await page.mouse.wheel(0, 200)
    await expect.poll(() => coveredBy(page, '.pill')).toEqual([])
    await page.locator('#pay').click({ position: { x: 6, y: 26 } })
    expect(await page.locator('#pay').getAttribute('title')).toBe('paid')
    await pill.click()
    await page.getByText('open, 1 line, $24.00').waitFor()
    await page.locator('#name').focus()
    await expect.poll(() => coveredBy(page, '.panel')).not.toContain('name')
    await page.keyboard.type('Ada')
    expect(await page.locator('#name').inputValue()).toBe('Ada')
    const isPhone = viewport.width < 480
    expect(await pill.getAttribute('aria-expanded')).toBe(String(!isPhone))
    await expect.poll(() => coveredBy(page, '.pill')).toEqual([])
    if (!isPhone) return
    await pill.click()
    await page.reload()
    await pill.waitFor()
    expect(await pill.getAttribute('aria-expanded')).toBe('false')
  },
)

test('the open toolbar is placed next to a form that leaves room for it', async () => {
  const files = {
    ...checkoutFiles,
    'src/style.css': 'main { width: 640px } label, button { display: block; margin: 40px }\n',
  }
  const dev = await devStage(platform, files)
  const context = await browser.newContext({ viewport: { width: 1_280, height: 640 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(dev.url)
  await page.getByRole('button', { name: 'Tillwright' }).click()
  await page.getByText('open, 1 line, $24.00').waitFor()
  await expect.poll(() => coveredBy(page, '.panel')).toEqual([])
})
