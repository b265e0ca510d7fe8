import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { soaks } from '../../../.ci/soaks.ts'
import { devStage, type DevStage, type StageFiles, stagePlatform, type StagePlatform } from './dev-stage.ts'
import { shopFiles, shopManifest } from './shop-plugin.ts'

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([sharedChromium(), stagePlatform()])
})
afterAll(() => platform.remove())

const entry = (library: 'preact' | 'react') => `import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/${library}'
import { Pay } from '../pay.tsx'
import { mount } from '../mount.ts'
import { title } from '../texts.ts'
const page = openPage()
document.title = title
mount(<PageProvider page={page}><Pay /></PageProvider>)
`

const component = (
  library: 'preact' | 'react',
) => `import { useState } from '${library === 'react' ? 'react' : 'preact/hooks'}'
import { useCard, useOrder } from '@tillwright/plugin-sdk/${library}'
import { title } from './texts.ts'
import { shout } from './rules/shout.ts'
export function Pay() {
  const card = useCard()
  const [count] = useState(0)
  const order = useOrder()
  return (
    <main>
      <h1>{shout(title)}</h1>
      <p id="amount">{order?.amount}</p>
      <section><div id="card" ref={card.ref} /></section>
      <p id="status">{card.status} {count}</p>
    </main>
  )
}
`

const mounts = {
  preact: `import { render, type ComponentChild } from 'preact'
export const mount = (shown: ComponentChild) => render(shown, document.getElementById('app')!)
`,
  react: `import { createRoot } from 'react-dom/client'
import type { ReactNode } from 'react'
export const mount = (shown: ReactNode) => createRoot(document.getElementById('app')!).render(shown)
`,
}

const common: StageFiles = {
  'src/texts.ts': "export const title = 'first'\n",
  'src/rules/shout.ts': 'export const shout = (text: string) => text + "!"\n',
}

/** A plugin whose first page has a card form. */
const withLibrary = (library: 'preact' | 'react'): StageFiles => ({
  ...shopFiles,
  ...common,
  'src/mount.ts': mounts[library],
  'src/pages/pay.tsx': entry(library),
  'src/pay.tsx': component(library),
  ...(library === 'react' && { 'package.json': { dependencies: { react: '^19.3.1', 'react-dom': '^19.3.1' } } }),
})

const plain: StageFiles = {
  ...shopFiles,
  ...common,
  'src/pages/pay.tsx': `import { openPage } from '@tillwright/plugin-sdk'
import { title } from '../texts.ts'
import { shout } from '../rules/shout.ts'
import { draw } from '../pay.tsx'
const page = openPage()
addEventListener('keyup', () => document.body.append('.'))
draw(shout(title))
void page.session.ready().then(async () => {
  document.querySelector('#amount')!.textContent = String(page.order.get()?.amount)
  const card = await page.pay.mount('#card')
  card.on('ready', () => (document.querySelector('#status')!.textContent = 'ready'))
})
`,
  'src/pay.tsx': `export function draw(heading: string) {
  const app = document.getElementById('app')!
  app.innerHTML = '<main><h1></h1><p id="amount"></p><section><div id="card"></div></section><p id="status"></p></main>'
  app.querySelector('h1')!.textContent = heading
}
`,
}

interface Typed {
  dev: DevStage
  page: Page
  /** The number of document loads. */
  loads: () => number
}

const field = (page: Page, name: string) =>
  page.frameLocator('iframe[src*="/v1/card"]').locator(`[autocomplete=${name}]`)

/** A page with a card typed into it. */
async function typed(
  files: StageFiles,
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<Typed> {
  const dev = await devStage(platform, files)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await prepare(context)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(dev.url)
  await field(page, 'cc-number').fill('4242424242424242')
  await field(page, 'cc-exp').fill('1239')
  await field(page, 'cc-csc').fill('123')
  return { dev, page, loads: () => loads }
}

/** The card is what was typed, in a form that the page's code holds. */
async function expectCard({ page }: Typed): Promise<void> {
  await page.locator('#card iframe, tillwright-card-layer iframe').waitFor()
  await page.getByText(/^ready/).waitFor()
  // A new form is there a moment before it has what was typed into the old one.
  await expect.poll(() => page.locator('iframe[src*="/v1/card"]').count()).toBe(1)
  await expect.poll(() => field(page, 'cc-number').inputValue()).toBe('4242 4242 4242 4242')
  await expect.poll(() => field(page, 'cc-csc').inputValue()).toBe('123')
}

/** Edits each kind of file, one after the other, and looks at the card each time. */
async function editEverything(shown: Typed, files: StageFiles): Promise<void> {
  const { dev, page } = shown
  const text = (path: string) => {
    const content = files[path]
    return typeof content === 'string' ? content : ''
  }
  const seen = async (path: string, content: string | object, heading: string) => {
    await dev.write(path, content)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await expectCard(shown)
  }
  await seen('src/texts.ts', "export const title = 'second'\n", 'second!')
  await seen('src/rules/shout.ts', 'export const shout = (text: string) => text + "?"\n', 'second?')
  const pay = text('src/pay.tsx')
  await seen(
    'src/pay.tsx',
    pay.replace(/(<h1>)(\{shout\(title\)\})?/, '$1Now: $2').replace('= heading', "= 'Now: ' + heading"),
    'Now: second?',
  )
  await seen('src/pay.tsx', pay.replaceAll('section>', 'article>'), 'second?')
  await seen('src/pay.tsx', pay.replace('useState(0)', 'useState(1)').replace('</main>', '<hr></hr></main>'), 'second?')
  await seen('src/pages/pay.tsx', `${text('src/pages/pay.tsx')}document.documentElement.title = 'run'\n`, 'second?')
  await expect.poll(() => page.locator('html').getAttribute('title')).toBe('run')
  await expectCard(shown)
  if (files['src/mount.ts'] !== undefined) await seen('src/mount.ts', `${text('src/mount.ts')}\n// more\n`, 'second?')
  await dev.write('package.json', { ...Object(files['package.json']), scripts: { dev: 'tillwright dev' } })
  await dev.write('tsconfig.json', { compilerOptions: { strict: true } })
  const [first, ...others] = shopManifest.pages
  await dev.write('plugin.manifest.json', {
    ...shopManifest,
    pages: [{ ...first, name: 'Till', path: '/till' }, ...others],
  })
  await page.waitForURL(/\/till$/)
  await seen('src/texts.ts', "export const title = 'third'\n", 'third?')
  expect(shown.loads()).toBe(1)
}

// The two tests behind it make the same edits, and slices of `soak/typed-card.test.ts` others with both libraries.
test.each(soaks ? (['preact', 'react'] as const) : [])(
  'with %s no edit empties a typed card',
  { timeout: 120_000 },
  async (library) => {
    const files = withLibrary(library)
    await editEverything(await typed(files), files)
  },
)

test(
  'a plain page begins again with the card that was typed, and without what it listened to before',
  { timeout: 120_000 },
  async () => {
    const shown = await typed(plain)
    await editEverything(shown, plain)
    await shown.page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keyup')))
    expect(await shown.page.locator('body').evaluate((body) => body.textContent.split('.').length - 1)).toBe(1)
  },
)

test(
  'where a browser cannot move frames, they are shown above their place and keep the card too',
  { timeout: 120_000 },
  async () => {
    const files = withLibrary('preact')
    const shown = await typed(files, async (context) => {
      await context.addInitScript(() => void Reflect.deleteProperty(Element.prototype, 'moveBefore'))
    })
    await editEverything(shown, files)
    const [frame, place] = await Promise.all(
      ['tillwright-card-layer iframe', '#card'].map((selector) => shown.page.locator(selector).boundingBox()),
    )
    expect(frame).toEqual(place)
  },
)

test('a form that the page takes out itself is gone, as in a published page', async () => {
  const { page } = await typed(plain)
  await page.evaluate(() => document.querySelector('section')?.remove())
  expect(await page.locator('iframe').count()).toBe(0)
})

test('an edit that breaks the page leaves it as it is, and the fix goes on with the card', async () => {
  const files = withLibrary('preact')
  const shown = await typed(files)
  const { dev, page } = shown
  await dev.write('src/texts.ts', 'export const titel = 1\n')
  await page.locator('tillwright-overlay').getByText('src/texts.ts has no export "title".').first().waitFor()
  await dev.write(
    'src/pay.tsx',
    component('preact').replace('const [count]', 'if (card) throw new Error("broken")\n  const [count]'),
  )
  await dev.write('src/texts.ts', "export const title = 'again'\n")
  await page.locator('tillwright-overlay').getByText('Error: broken').first().waitFor()
  await dev.write('src/pay.tsx', component('preact'))
  await page.getByRole('heading', { name: 'again!' }).waitFor()
  await expectCard(shown)
  expect(shown.loads()).toBe(1)
})
