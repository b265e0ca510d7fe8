import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../.ci/chromium.ts'
import { layOut } from './lay-out.ts'
import { runInPty, type PtyRun } from './pty-run.ts'
import { terminalPage } from './terminal-page.ts'

const root = join(import.meta.dirname, '../../..')
const cli = join(root, 'packages/cli/src/main.ts')
const kept = join(root, 'apps/docs/pictures')
/** The folder for the single screenshots. */
const [, , singles = null] = process.argv

const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]
const grounds: Readonly<Record<Scheme, string>> = { light: '#e9ebf0', dark: '#090b10' }
const windows = { desktop: { width: 1_280, height: 800 }, phone: { width: 390, height: 844 } } as const
const tabs = ['Session', 'Scenario', 'Events', '3DS', 'Calls'] as const
/** The screenshots in the documentation. */
const shown: readonly string[] = ['Session', 'Events', '3DS']

/**
 * Takes the screenshots of what an author sees: the toolbar's tabs, the overlay's kinds of errors, and the terminal, all of the real
 * command on a template plugin, in both colour schemes. What the documentation shows is kept in `apps/docs/pictures`.
 */
async function takeScreenshots(): Promise<void> {
  const [browser, folder] = await Promise.all([launchChromium(), copiedPlugin()])
  const dev = startDev(folder, '')
  await mkdir(kept, { recursive: true })
  try {
    const [, url = ''] = await dev.said(/(http:\/\/localhost:\d+)\//)
    await pay(browser, url, dev)
    await takeToolbar(browser, url)
    await takeOverlay(browser, { url, folder, dev })
    await takeTerminal(browser, dev.printed(), { name: 'terminal', command: 'tillwright dev' })
    await dev.quit()
    await takeQrCode(browser, folder)
  } finally {
    await Promise.all([browser.close(), dev.quit()])
    await rm(join(folder, '../..'), { recursive: true, force: true })
  }
}

async function copiedPlugin(): Promise<string> {
  const top = await mkdtemp(join(tmpdir(), 'dev-pictures-'))
  const folder = join(top, 'apps/one-page-checkout')
  const source = join(root, 'apps/one-page-checkout')
  const filter = (path: string) => !/node_modules|\/\.tillwright|\/dist/.test(path.slice(source.length))
  await cp(source, folder, { recursive: true, filter })
  await cp(join(root, 'tsconfig.base.json'), join(top, 'tsconfig.base.json'))
  await symlink(join(source, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function startDev(folder: string, options: string): PtyRun {
  const { CI: _, NO_COLOR: __, ...env } = process.env
  return runInPty(`${process.execPath} ${cli} dev ${options}`, {
    cwd: folder,
    env: { ...env, TERM: 'xterm-256color', TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' },
  })
}

/** A payment whose bank asks for a code, so that every tab has something to show. */
async function pay(browser: Browser, url: string, dev: PtyRun): Promise<void> {
  await dev.said(/quit/)
  dev.press('7')
  await dev.said(/Bank asks for a code/)
  const page = await browser.newPage()
  await page.goto(`${url}/`)
  const typed = { email: 'ada@example.com', 'shipping.firstName': 'Ada', 'shipping.lastName': 'Byrne' }
  const address = { 'shipping.line1': '12 Weaver Street', 'shipping.city': 'Oakland', 'shipping.postalCode': '94607' }
  for (const [name, text] of Object.entries({ ...typed, ...address })) await page.locator(`[name="${name}"]`).fill(text)
  await page.locator('[name="shipping.state"]').selectOption('CA')
  const inputs = page.frameLocator('.card iframe').locator('input:visible')
  for (const [index, keys] of ['4242424242424242', '1234', '123'].entries())
    await inputs.nth(index).pressSequentially(keys)
  await page.locator('.pay button.primary').click()
  await page.frameLocator('dialog iframe').frameLocator('dialog iframe').getByRole('textbox').fill('1234')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Thank you/ }).waitFor()
  await page.close()
}

async function takeToolbar(browser: Browser, url: string): Promise<void> {
  for (const scheme of schemes) {
    const ground = grounds[scheme]
    const panels: Buffer[] = []
    const phones: Buffer[] = []
    for (const [name, viewport] of Object.entries(windows)) {
      const page = await openPage(browser, { url, scheme, viewport })
      await page.getByRole('button', { name: 'Tillwright' }).click()
      for (const tab of tabs) {
        await page.getByRole('tab', { name: tab }).click()
        await settle(page, tab)
        const whole = await take(page, `toolbar-${tab}-${name}-${scheme}`)
        if (!shown.includes(tab)) continue
        if (name === 'phone') phones.push(whole)
        else panels.push(await page.locator('tillwright-toolbar .panel').screenshot())
      }
      await page.close()
    }
    await keep(`toolbar-${scheme}`, await layOut(browser, panels, { ground, direction: 'row' }))
    await keep(`toolbar-phone-${scheme}`, await layOut(browser, phones, { ground, direction: 'row' }))
  }
}

async function settle(page: Page, tab: (typeof tabs)[number]): Promise<void> {
  if (tab === 'Events') await page.getByText('s_order_paid').waitFor()
  if (tab === '3DS') {
    await page.locator('tillwright-toolbar summary .type', { hasText: 'RRes' }).waitFor()
    await page.locator('tillwright-toolbar summary', { hasText: 'ARes' }).click()
  }
  if (tab === 'Calls') await page.locator('tillwright-toolbar summary').first().click()
  if (tab === 'Session') await page.locator('#resource-Order').waitFor()
}

interface Overlays {
  url: string
  folder: string
  dev: PtyRun
}

/** Mistakes: the text that is written into a file, and the terminal's answer to it. */
const mistakes = [
  { name: 'validation', path: 'plugin.manifest.json', spoil: (text: string) => text.replace('"pages"', '"pagse"') },
  { name: 'build', path: 'src/start-page.tsx', spoil: (text: string) => `${text}\nexport const total = (lines => {\n` },
  {
    name: 'run-time',
    path: 'src/start-page.tsx',
    spoil: (text: string) =>
      `${text}\nsetTimeout(() => {\n  throw new TypeError("Cannot read properties of null (reading 'amount')")\n})\n`,
  },
] as const

async function takeOverlay(browser: Browser, { url, folder, dev }: Overlays): Promise<void> {
  const taken: Record<Scheme, Buffer[]> = { light: [], dark: [] }
  for (const { name, path, spoil } of mistakes) {
    const file = join(folder, path)
    const text = await readFile(file, 'utf8')
    await writeFile(file, spoil(text))
    for (const scheme of schemes) {
      for (const [window, viewport] of Object.entries(windows)) {
        const page = await openPage(browser, { url, scheme, viewport })
        await page.locator('tillwright-overlay .panel').waitFor()
        await take(page, `overlay-${name}-${window}-${scheme}`)
        if (window === 'desktop') taken[scheme].push(await page.locator('tillwright-overlay .panel').screenshot())
        await page.close()
      }
    }
    await writeFile(file, text)
    if (name !== 'run-time') await dev.said(/fixed/)
  }
  for (const scheme of schemes) {
    const look = { ground: grounds[scheme], direction: 'column' } as const
    await keep(`overlay-${scheme}`, await layOut(browser, taken[scheme], look))
  }
}

interface Opening {
  url: string
  scheme: Scheme
  viewport: { width: number; height: number }
}

async function openPage(browser: Browser, { url, scheme, viewport }: Opening): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: scheme, timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.goto(`${url}/`)
  return page
}

async function takeQrCode(browser: Browser, folder: string): Promise<void> {
  const dev = startDev(folder, '--host')
  await dev.said(/quit/)
  await takeTerminal(browser, dev.printed(), { name: 'terminal-host', command: 'tillwright dev --host' })
  await dev.quit()
}

interface Shown {
  name: string
  command: string
}

async function takeTerminal(browser: Browser, printed: string, { name, command }: Shown): Promise<void> {
  for (const scheme of schemes) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 760, height: 400 } })
    await page.setContent(terminalPage(printed, command))
    await page.evaluate((ground) => (document.body.style.background = ground), grounds[scheme])
    await keep(`${name}-${scheme}`, await page.locator('body').screenshot())
    await page.close()
  }
}

async function take(page: Page, name: string): Promise<Buffer> {
  const screenshot = await page.screenshot()
  if (singles !== null) await writeFile(join(singles, `${name.toLowerCase()}.png`), screenshot)
  return screenshot
}

async function keep(name: string, screenshot: Buffer): Promise<void> {
  await writeFile(join(kept, `${name}.png`), screenshot)
}

await takeScreenshots()
