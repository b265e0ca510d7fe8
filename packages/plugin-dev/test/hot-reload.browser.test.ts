import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { soaks } from '../../../.ci/soaks.ts'
import { devStage, type DevStage, type StageFiles, stagePlatform, type StagePlatform } from './dev-stage.ts'
import { payModule, shopFiles, shopManifest } from './shop-plugin.ts'

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([sharedChromium(), stagePlatform()])
})
afterAll(() => platform.remove())

interface Shown {
  dev: DevStage
  page: Page
  /** The number of document loads. */
  loads: () => number
}

/** A plugin that is being served, with its first page in a browser. */
async function shown(files: StageFiles = shopFiles, path = '/'): Promise<Shown> {
  const dev = await devStage(platform, files)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(dev.url + path)
  return { dev, page, loads: () => loads }
}

const pay = payModule
const overlay = (page: Page) => page.locator('tillwright-overlay')
/** Puts something into the page that is lost when it is loaded again. */
async function leaveState(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'clicked' }).click()
  await page.locator('[name=email]').fill('ada@example.com')
}
async function expectState(page: Page): Promise<void> {
  expect(await page.getByRole('button', { name: 'clicked' }).textContent()).toBe('clicked 1')
  expect(await page.locator('[name=email]').inputValue()).toBe('ada@example.com')
}

test('edits of a component, of a module that it imports, of its style and of settings are live, and keep what was typed and counted', async () => {
  const { dev, page, loads } = await shown()
  await leaveState(page)
  await dev.write('src/pay.tsx', pay.replace('<h1>{', '<h1>Hello: {'))
  await page.getByText('Hello: Welcome').waitFor()
  await dev.write('src/word.ts', "export const word = 'second'\n")
  await page.getByText('second').waitFor()
  await dev.write('src/style.css', 'h1 { color: rgb(9, 8, 7) }\n')
  await expect.poll(() => page.locator('h1').evaluate((h1) => getComputedStyle(h1).color)).toBe('rgb(9, 8, 7)')
  await dev.write('config/plain.json', { headline: 'Autumn' })
  await page.getByText('Hello: Autumn').waitFor()
  await dev.write('plugin.manifest.json', {
    ...shopManifest,
    version: '1.1.0',
    configuration: { ...shopManifest.configuration, defaultPreset: 'loud' },
  })
  await page.getByText('Hello: LOUD').waitFor()
  await expectState(page)
  expect(loads()).toBe(1)
})

test('a component of a page that has one of its own follows each edit, also behind one of a module that both are made from', async () => {
  const price = (text: string) => `import { word } from './word.ts'
export const Price = () => <p>{word} ${text}</p>
`
  const { dev, page, loads } = await shown({
    ...shopFiles,
    'src/price.tsx': price('one'),
    'src/pages/pay.tsx': `import { render } from 'preact'
import { Price } from '../price.tsx'
import { word } from '../word.ts'
const Pay = () => <main title={word}><Price /></main>
render(<Pay />, document.getElementById('app')!)
`,
  })
  await page.getByText('first one').waitFor()
  await dev.write('src/word.ts', "export const word = 'second'\n")
  await page.getByText('second one').waitFor()
  await dev.write('src/price.tsx', price('two'))
  await page.getByText('second two').waitFor()
  await dev.write('src/price.tsx', price('three'))
  await page.getByText('second three').waitFor()
  expect(loads()).toBe(1)
})

test('a manifest that is broken half-way, modules with errors, and an import of a name that there is not are told with their place until they are fixed, and the page goes on as it was', async () => {
  const { dev, page, loads } = await shown()
  await leaveState(page)
  await dev.write('plugin.manifest.json', JSON.stringify(shopManifest, null, 2).slice(0, 120))
  await overlay(page)
    .getByText(/plugin\.manifest\.json:\d+:\d+/)
    .first()
    .waitFor()
  await dev.write('config/plain.json', { headline: 7 })
  await dev.write('plugin.manifest.json', shopManifest)
  await overlay(page).getByText('config/plain.json:2:15').waitFor()
  await dev.write('config/plain.json', { headline: 'Fixed' })
  await page.getByText('Fixed').waitFor()
  await expect.poll(() => overlay(page).count()).toBe(0)

  // Errors of several modules are shown together, each until it is fixed.
  await dev.write('src/pay.tsx', pay.replace('<main>', '<main'))
  await overlay(page).getByText('src/pay.tsx').waitFor()
  await dev.write('src/style.css', '@import "./none.css";')
  await overlay(page).getByText('2 errors').waitFor()
  await dev.write('src/pay.tsx', pay.replace('<h1>{', '<h1>Again: {'))
  await overlay(page).getByText('One error').waitFor()
  await dev.write('src/style.css', '')
  await expect.poll(() => overlay(page).count()).toBe(0)
  await page.getByText('Again: Fixed').waitFor()

  // A page that cannot begin tells of it, too.
  await dev.write('src/pay.tsx', pay)
  await page.getByRole('heading', { name: 'Fixed', exact: true }).waitFor()
  await dev.write('src/word.ts', "export const words = 'renamed'\n")
  await overlay(page).getByText('src/word.ts has no export "word".').waitFor()
  expect(await overlay(page).locator('.place').first().textContent()).toBe('src/pay.tsx:2:10')
  expect(await overlay(page).locator('.excerpt .meant').textContent()).toBe(
    "2 import { word } from './word.ts'\n           ^\n",
  )
  expect(await overlay(page).locator('.way').textContent()).toBe('Imported by src/pages/pay.tsx')
  const other = await browser.newPage()
  onTestFinished(() => other.close())
  await other.goto(dev.url)
  await overlay(other).getByText('One error').waitFor()
  await overlay(other).getByText('src/word.ts has no export "word".').waitFor()
  await dev.write('src/pay.tsx', pay.replace('{ word }', '{ words as word }'))
  await page.getByText('renamed').waitFor()
  await other.getByText('renamed').waitFor()
  await expect.poll(() => overlay(page).count()).toBe(0)
  await expectState(page)
  expect(loads()).toBe(1)
})

test('a plugin that begins with a broken manifest is shown as soon as it is fixed', async () => {
  const { dev, page } = await shown({ ...shopFiles, 'plugin.manifest.json': '{ "pluginId": "shop"' })
  await overlay(page).getByText('plugin.manifest.json:1:21').waitFor()
  await dev.write('plugin.manifest.json', shopManifest)
  await page.getByText('Welcome').waitFor()
  expect(await overlay(page).count()).toBe(0)
})

test('a page that could not start does so by itself when its module is fixed', async () => {
  const { dev, page } = await shown({ ...shopFiles, 'src/word.ts': 'export const word = (' })
  await overlay(page)
    .getByText(/src\/word\.ts:1:\d+/)
    .waitFor()
  await dev.write('src/word.ts', "export const word = 'there'\n")
  await page.getByText('there').waitFor()
  expect(await overlay(page).count()).toBe(0)
})

test('an error that happens in the page is told at its place in the source, and goes with the next edit', async () => {
  const broken = pay.replace('setCount(count + 1)', "\n{ throw new Error('Out of stock') }\n")
  const { dev, page } = await shown({ ...shopFiles, 'src/pay.tsx': broken })
  await page.getByRole('button', { name: 'clicked' }).click()
  await overlay(page).getByText('Error: Out of stock').waitFor()
  expect(await overlay(page).locator('.place').textContent()).toMatch(/^src\/pay\.tsx:17:\d+$/)
  await dev.write('src/pay.tsx', pay)
  await expect.poll(() => overlay(page).count()).toBe(0)
})

test('an error of a page is told to the terminal until the page runs without it, and no edit of a style or of another file ends it', async () => {
  const failing = (more = '') => `export const word = 'failing'\nsetTimeout(() => { throw new Error('deep') })\n${more}`
  const { dev, page } = await shown()
  const told = () =>
    dev.events.flatMap((event) => (event.type === 'problems' ? [event.problems.map(({ rule }) => rule)] : []))
  await dev.write('src/word.ts', failing())
  await overlay(page).getByText('Error: deep').waitFor()
  await dev.write('src/style.css', '@import "./none.css";')
  await expect.poll(() => told().at(-1)).toEqual([expect.stringContaining('none.css'), 'Error: deep'])
  await dev.write('src/style.css', 'h1 { color: rgb(9, 8, 7) }\n')
  await expect.poll(() => page.locator('main h1').evaluate((h1) => getComputedStyle(h1).color)).toBe('rgb(9, 8, 7)')
  await expect.poll(() => told().at(-1)).toEqual(['Error: deep'])
  expect(await overlay(page).getByText('Error: deep').count()).toBe(1)
  await dev.write('src/word.ts', failing('export const more = 1\n'))
  await expect.poll(() => told().at(-1)).toEqual(['Error: deep'])
  expect(told()).not.toContainEqual([])
  await page.reload()
  await overlay(page).getByText('Error: deep').waitFor()
  await dev.write('src/word.ts', "export const word = 'runs'\n")
  await page.getByText('runs', { exact: true }).waitFor()
  await expect.poll(() => told().at(-1), { timeout: 5_000 }).toEqual([])
})

test('what a module throws when it takes the place of the former one is told, and a page that throws while it begins is not loaded again and again', async () => {
  const { dev, page, loads } = await shown()
  await dev.write('src/word.ts', "throw new Error('too early')\nexport const word = 'never'\n")
  await overlay(page).getByText('Error: too early').waitFor()
  expect(await overlay(page).locator('.place').first().textContent()).toBe('src/word.ts:1:7')
  await dev.write('src/word.ts', "export const word = 'in time'\n")
  await page.getByText('in time', { exact: true }).waitFor()
  await expect.poll(() => overlay(page).count()).toBe(0)
  expect(loads()).toBe(1)
  const thrown = "setTimeout(() => { throw new Error('at once') })\nexport const word = 'thrown'\n"
  await dev.write('src/word.ts', thrown)
  await overlay(page).getByText('Error: at once').waitFor()
  const before = loads()
  await page.reload()
  await overlay(page).getByText('Error: at once').waitFor()
  expect(loads()).toBe(before + 1)
})

test('a name that a package does not export, a file that is renamed and one that is removed are told until they are right again; of two quick writes the second counts; files that move keep the page in order', async () => {
  const { dev, page } = await shown()
  await dev.write('src/pay.tsx', pay.replace('{ useEffect, useState }', '{ useEffect, useStat as useState }'))
  await overlay(page).getByText('preact/hooks has no export "useStat".').waitFor()
  expect(dev.events.findLast(({ type }) => type === 'problems')).toMatchObject({
    problems: [{ code: 'missing-export', file: 'src/pay.tsx', line: 1, column: 21 }],
  })
  await dev.write('src/pay.tsx', pay)
  await expect.poll(() => overlay(page).count()).toBe(0)

  // A renamed file is reported in each module that imports it, without an edit of them.
  await rename(join(dev.root, 'src/word.ts'), join(dev.root, 'src/words.ts'))
  await overlay(page).getByText('src/pay.tsx:2:').first().waitFor()
  await rename(join(dev.root, 'src/words.ts'), join(dev.root, 'src/word.ts'))
  await expect.poll(() => overlay(page).count()).toBe(0)

  await dev.remove('src/word.ts')
  await dev.write('src/pay.tsx', `${pay}\n`)
  await overlay(page).getByText('word.ts').first().waitFor()
  await dev.write('src/word.ts', "export const word = 'back again'\n")
  await page.getByText('back again', { exact: true }).waitFor()
  await expect.poll(() => overlay(page).count()).toBe(0)

  for (let round = 0; round < (soaks ? 6 : 2); round += 1) {
    await dev.write('src/word.ts', `export const word = 'first ${round}'\n`)
    await delay(8 + 5 * round) // the gap between the writes is what is tested
    await dev.write('src/word.ts', `export const word = 'second ${round}'\n`)
    await page.getByText(`second ${round}`, { exact: true }).waitFor()
  }

  // Files that move along with what imports them keep the page in order.
  await rename(join(dev.root, 'src/word.ts'), join(dev.root, 'src/words.ts'))
  await dev.write('src/pay.tsx', pay.replace('./word.ts', './words.ts').replace('<h1>{', '<h1>Moved: {'))
  await page.getByText('Moved: Welcome').waitFor()
  await rm(join(dev.root, 'src/words.ts'))
  await dev.write('src/pay.tsx', pay.replace("import { word } from './word.ts'\n", "const word = 'own'\n"))
  await page.getByText('own', { exact: true }).waitFor()
  await expect.poll(() => overlay(page).count()).toBe(0)
})

test('a misspelt key of the manifest is told and keeps nothing from working, an input for card numbers is told whatever it is made of, and an error without a place in the plugin says so, with the stack in its packages and sources', async () => {
  const { dev, page } = await shown()
  await dev.write('plugin.manifest.json', { ...shopManifest, descripton: 'A shop' })
  await page.getByRole('button', { name: 'Tillwright, 1 warning' }).click()
  await page.getByText('plugin.manifest.json:').waitFor()
  await page.getByText('Did you mean "description"?').waitFor()
  expect(await overlay(page).count()).toBe(0)
  expect(dev.events.findLast(({ type }) => type === 'problems')).toMatchObject({
    problems: [{ code: 'unknown-key', severity: 'warning', file: 'plugin.manifest.json', pointer: '/descripton' }],
  })
  await dev.write('plugin.manifest.json', shopManifest)
  await page.getByRole('button', { name: 'Tillwright', exact: true }).waitFor()

  const field = ['card', 'Number'].map((part) => `'${part}'`).join(' + ')
  await dev.write('src/pay.tsx', pay.replace('name="email"', `name={${field}}`))
  await overlay(page).getByText('No input of a page may take a card number').waitFor()
  await dev.write('src/pay.tsx', pay)
  await expect.poll(() => overlay(page).count()).toBe(0)

  await page.evaluate(() => setTimeout(() => Promise.reject(new Error('from nowhere'))))
  await overlay(page).getByText('from nowhere').waitFor()
  expect(await overlay(page).locator('li').first().textContent()).toContain('The browser tells no place of it.')
  expect(await overlay(page).locator('li').first().textContent()).not.toContain('at this place')
  const thrown = `export const word = 'third'
export function fail(): never {
  throw new Error('deep')
}
setTimeout(function later() { fail() })
`
  await dev.write('src/word.ts', thrown)
  await overlay(page).getByText('Error: deep').waitFor()
  expect(await overlay(page).locator('.place').first().textContent()).toBe('src/word.ts:3:9')
  expect(await overlay(page).locator('.stack p').allTextContents()).toEqual([
    'fail src/word.ts:3:9',
    'later src/word.ts:5:31',
  ])
  expect(await overlay(page).locator('.excerpt .meant').textContent()).toContain("throw new Error('deep')")
})

test('another branch, with many files at once, ends with its page', async () => {
  const parts = Array.from({ length: 30 }, (_, index) => `src/parts/part-${index}.ts`)
  const files = (branch: string) => ({
    ...shopFiles,
    ...Object.fromEntries(parts.map((path, index) => [path, `export const part${index} = '${branch}${index} '\n`])),
    'src/word.ts': `${parts.map((path, index) => `import { part${index} } from '${path.replace('src', '.')}'`).join('\n')}
export const word = [${parts.map((_, index) => `part${index}`).join(', ')}].join('')\n`,
    'config/plain.json': { headline: branch },
  })
  const { dev, page } = await shown(files('a'))
  for (const branch of ['b', 'a']) {
    await Promise.all(Object.entries(files(branch)).map(([path, content]) => dev.write(path, content)))
    await page.getByRole('heading', { name: branch, exact: true }).waitFor()
    const whole = parts.map((_, index) => `${branch}${index} `).join('')
    await expect.poll(() => page.locator('#word').textContent()).toBe(whole)
  }
  expect(await overlay(page).count()).toBe(0)
})

test('a new page is there at once, a page that moves is shown where it is, and one that goes makes way', async () => {
  const { dev, page } = await shown(shopFiles, '/thanks/order_1')
  await page.getByText('Thank you').waitFor()
  const [first, second] = shopManifest.pages
  const extra = { id: 'extra', path: '/extra', name: 'Extra' }
  await dev.write('plugin.manifest.json', {
    ...shopManifest,
    pages: [first, { ...second, path: '/done/:orderId' }, extra],
  })
  await dev.write('src/pages/extra.tsx', "document.getElementById('app')!.textContent = 'Extra page'\n")
  await page.waitForURL(`${dev.url}/done/order_1`)
  await page.getByText('Thank you').waitFor()
  const other = await browser.newPage()
  onTestFinished(() => other.close())
  await other.goto(`${dev.url}/extra`)
  await other.getByText('Extra page').waitFor()
  await other.goto(`${dev.url}/later`)
  await other.getByText('The plugin has no page here').waitFor()
  await other.evaluate(() => Object.assign(globalThis, { isKept: true }))
  await dev.write('src/pages/later.tsx', "document.getElementById('app')!.textContent = 'Later page'\n")
  await dev.settled()
  expect(await other.evaluate(() => 'isKept' in globalThis)).toBe(true)
  await dev.write('plugin.manifest.json', {
    ...shopManifest,
    pages: [first, { id: 'later', path: '/later', name: 'Later' }],
  })
  await other.getByText('Later page').waitFor()
  await dev.write('plugin.manifest.json', shopManifest)
  await other.getByText('Welcome').waitFor()
  expect(other.url()).toBe(`${dev.url}/`)
  // A page that is being loaded again while it goes asks for what is gone.
  expect((await fetch(`${dev.url}/later`)).url).toBe(`${dev.url}/`)
})

test('a page of several steps goes on where the session goes, and begins anew when it is restarted', async () => {
  const { dev, page } = await shown({
    ...shopFiles,
    'plugin.manifest.json': { ...shopManifest, pages: [{ id: 'pay', path: '/' }, shopManifest.pages[1]] },
  })
  await page.getByText('Welcome').waitFor()
  const token = () => page.locator('#tillwright-data').textContent()
  const before = await token()
  await dev.next()
  await page.getByText('Thank you').waitFor()
  await dev.restart({ name: 'Loud', preset: 'loud' })
  await page.getByText('LOUD').waitFor()
  expect(JSON.parse(String(await token())).session.token).not.toBe(JSON.parse(String(before)).session.token)
})

test('a page whose token is refused gets another one, and all pages are told of it; a platform that is started again is found again, and the session goes on; a change that it could not take is told, and made with the next one', async () => {
  const { dev, page } = await shown()
  await page.getByText('Welcome').waitFor()
  const renewed = await page.evaluate(async () => {
    const notified = new Promise<string>((resolve) => {
      document.addEventListener('tillwright:data', (event) => resolve((event as CustomEvent).detail.session.token))
    })
    const data = JSON.parse(String(document.getElementById('tillwright-data')?.textContent))
    const refused = await fetch(`${data.apiUrl}/api/session/v1/session`, {
      headers: { Authorization: `Bearer fstok_${'0'.repeat(43)}` },
    })
    const { token } = await (await fetch(data.renewUrl, { method: 'POST' })).json()
    const again = await fetch(`${data.apiUrl}/api/session/v1/session`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return {
      refused: refused.status,
      again: again.status,
      isNotified: (await notified) === token,
      isNew: token !== data.session.token,
    }
  })
  expect(renewed).toEqual({ refused: 401, again: 200, isNotified: true, isNew: true })

  const ask = () =>
    page.evaluate(async () => {
      const data = JSON.parse(String(document.getElementById('tillwright-data')?.textContent))
      const headers = { Authorization: `Bearer ${data.session.token}` }
      return (await fetch(`${data.apiUrl}/api/session/v1/session`, { headers })).status
    })
  expect(await ask()).toBe(200)
  await platform.stop()
  expect(await ask()).toBe(503)
  await overlay(page).getByText('The platform does not answer').waitFor()
  await platform.start()
  await expect.poll(() => overlay(page).count()).toBe(0)
  expect(await ask()).toBe(200)

  const pages = [...shopManifest.pages, { id: 'more', path: '/more', name: 'More' }]
  await dev.write('src/pages/more.tsx', "document.getElementById('app')!.textContent = 'More'\n")
  await platform.stop()
  await dev.write('plugin.manifest.json', { ...shopManifest, pages })
  await overlay(page).getByText('The change could not be applied').waitFor()
  await platform.start()
  await dev.write('src/word.ts', "export const word = 'next'\n")
  await page.getByText('next', { exact: true }).waitFor()
  await expect.poll(() => overlay(page).count()).toBe(0)
  await page.goto(`${dev.url}/more`)
  await page.getByText('More', { exact: true }).waitFor()
})

test('variables of the environment are read again, and public files are loaded again', async () => {
  const { dev, page } = await shown({
    ...shopFiles,
    '.env': 'PUBLIC_TITLE=one\nSECRET=swordfish\n',
    'src/word.ts':
      'export const word = `${import.meta.env.PUBLIC_TITLE} ${import.meta.env.SECRET} ${import.meta.env.DEV}`\n',
  })
  await page.getByText('one undefined true').waitFor()
  await dev.write('.env', 'PUBLIC_TITLE=two\n')
  await page.getByText('two undefined true').waitFor()
})

test('a page whose connection was cut before it was open follows the environment as well', async () => {
  const word = 'export const word = `variable ${import.meta.env.PUBLIC_TITLE}`\n'
  const dev = await devStage(platform, { ...shopFiles, '.env': 'PUBLIC_TITLE=one\n', 'src/word.ts': word })
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.addInitScript(() => {
    const Open = window.WebSocket
    window.WebSocket = class extends Open {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(String(url).replace(/token=.*/, 'token=former'), protocols)
      }
    }
  })
  await page.goto(dev.url)
  await page.getByText('variable one').waitFor()
  await dev.write('.env', 'PUBLIC_TITLE=two\n')
  await page.getByText('variable two').waitFor()
})

test('in spa-mode every page is the one application, and its document is its own', async () => {
  const { page } = await shown(
    {
      'plugin.manifest.json': { ...shopManifest, mode: 'spa-mode' },
      'config/plain.json': { headline: 'Welcome' },
      'src/app.tsx': "document.getElementById('app')!.textContent = location.pathname\n",
      'src/app.html': '<html lang="de"><head><title>Own</title></head><body><div id="app"></div></body></html>',
    },
    '/thanks/order_1',
  )
  await page.getByText('/thanks/order_1').waitFor()
  expect(await page.title()).toBe('Own')
})

test('what the policy of a hosted page forbids fails here too, is told with its place and cure, and is cured by the manifest', async () => {
  const { dev, page } = await shown()
  const other = 'https://reviews.example'
  await page.route(`${other}/**`, (route) =>
    route.fulfill({ json: 'five stars', headers: { 'access-control-allow-origin': '*' } }),
  )
  await leaveState(page)
  const asking = `export const word = await fetch('${other}/stars').then((answer) => answer.json(), () => 'none')\n`
  await dev.write('src/word.ts', asking)
  await page.getByText('none', { exact: true }).waitFor()
  await expectState(page)
  await overlay(page).getByText(`"security": { "connect": ["${other}"] }`).waitFor()
  expect(await overlay(page).locator('.place').textContent()).toBe('src/word.ts:1:27')
  await dev.write('plugin.manifest.json', { ...shopManifest, security: { connect: [other] } })
  await page.getByText('five stars').waitFor()
  expect(await overlay(page).count()).toBe(0)
})

test('documents hold to their policy from the beginning: nothing inline works, and no page has an error of its own', async () => {
  const document =
    '<html><head></head><body onload="document.title = 1"><p style="color: rgb(9, 9, 9)">Own</p></body></html>'
  const files = { ...shopFiles, 'src/pages/pay.html': document.replace('<p', '<div id="app"></div><p') }
  const { dev, page } = await shown(files)
  await overlay(page).getByText('2 errors').waitFor()
  expect(await page.locator('p', { hasText: 'Own' }).evaluate((own) => getComputedStyle(own).color)).toBe(
    'rgb(0, 0, 0)',
  )
  expect(await page.locator('main h1').evaluate((h1) => getComputedStyle(h1).color)).toBe('rgb(1, 2, 3)')
  const complaints: string[] = []
  const quiet = await browser.newPage()
  onTestFinished(() => quiet.close())
  quiet.on('console', (said) => void (said.type() === 'error' && complaints.push(said.text())))
  await quiet.goto(`${dev.url}/thanks/order_1`)
  await quiet.getByText('Thank you').waitFor()
  await quiet.goto(`${dev.url}/nowhere`)
  await quiet.getByText('The plugin has no page here').waitFor()
  expect(complaints).toEqual(['Failed to load resource: the server responded with a status of 404 (Not Found)'])
})

test('a plugin with React keeps the state of its components too, without a word of its own', async () => {
  const app = payModule.replace("'preact/hooks'", "'react'")
  const { dev, page, loads } = await shown({
    ...shopFiles,
    'package.json': { dependencies: { react: '^19.3.1', 'react-dom': '^19.3.1' } },
    'src/pages/pay.tsx': `import { createRoot } from 'react-dom/client'
import { Pay } from '../pay.tsx'
createRoot(document.getElementById('app')!).render(<Pay />)
`,
    'src/pay.tsx': app,
  })
  await leaveState(page)
  await dev.write('src/pay.tsx', app.replace('<h1>{', '<h1>Hello: {'))
  await page.getByText('Hello: Welcome').waitFor()
  await dev.write('src/word.ts', "export const word = 'second'\n")
  await page.getByText('second').waitFor()
  await expectState(page)
  expect(loads()).toBe(1)
})
