import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import MiniSearch from 'minisearch'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { isBuilt } from '../../../.ci/is-built.ts'
import { inSoak } from '../../../.ci/soaks.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { otherWords } from '../src/other-words.ts'
import { addressOfPart } from '../src/search-index.ts'
import { searchOptions } from '../src/search-options.ts'

const docs = join(import.meta.dirname, '..')
const dist = join(docs, 'dist')
const FIRST_PAGE_MAX_BYTES = 40_000

const platform = sharedPlatform()
let page: Page
let sentBytes = 0
const requested: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  if (!isBuilt) await promisify(execFile)(process.execPath, ['build.ts'], { cwd: docs })
  const browser = await sharedChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('request', (request) => requested.push(request.url()))
  page.on('requestfinished', async (request) => (sentBytes += (await request.sizes()).responseBodySize))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterAll(() => page?.close())

/** The pages as they were built: HTML by path, such as `security/keys.html`. */
function builtPages(): ReadonlyMap<string, string> {
  const names = globSync('**/*.html', { cwd: dist })
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(dist, name), 'utf8')]))
}

test('no link of any page is dead, nor its anchor, and every page has its Markdown and its line in llms.txt', () => {
  const pages = builtPages()
  const files = new Set(globSync('**/*', { cwd: dist }).map((name) => name.replaceAll('\\', '/')))
  const dead: string[] = []
  for (const [name, html] of pages) {
    for (const [, address = ''] of html.matchAll(/(?:href|src|srcset)="([^"]*)"/g)) {
      if (/^(?:https?:|mailto:|data:|\/)/.test(address)) continue
      const [path = '', anchor = ''] = address.split('#')
      const target = path === '' ? name : posix.join(posix.dirname(name), path)
      const isThere = files.has(target) && (anchor === '' || pages.get(target)?.includes(` id="${anchor}"`) === true)
      if (!isThere) dead.push(`${name}: ${address}`)
    }
  }
  expect(dead).toEqual([])
  const llms = readFileSync(join(dist, 'llms.txt'), 'utf8')
  const markdown = [...pages.keys()].map((name) => name.replace(/html$/, 'md'))
  expect(markdown.filter((name) => !files.has(name) || !llms.includes(`](${name})`))).toEqual([])
})

test('every page has a description, no script or style of its own in it, and loads nothing from elsewhere', () => {
  for (const [name, html] of builtPages()) {
    const [, description = ''] = /<meta name="description" content="([^"]*)">/.exec(html) ?? []
    expect(description, name).toMatch(/^.{20,300}$/)
    const found =
      html.match(/<script(?! type="module" src="[^":]+")[^>]*>|<style|\sstyle="|\son\w+="|(?:src|srcset)="https?:/g) ??
      []
    expect(found, name).toEqual([])
  }
})

test('the front page is light, contacts no other host, and its search leads to a page without a network', async () => {
  const guide = `${platform().apiUrl}/guide/`
  await page.goto(guide, { waitUntil: 'networkidle' })
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Sell')
  expect(sentBytes).toBeLessThan(FIRST_PAGE_MAX_BYTES)
  await page.keyboard.press('/')
  await page.keyboard.type('insufficent') // one letter is missing
  const first = page.getByRole('option').first()
  await first.waitFor()
  await page.getByRole('combobox').fill('rotate master key')
  await page.getByRole('option', { name: /keys/i }).first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/guide\/security\/keys\.html/)
  expect(requested.filter((url) => !url.startsWith(guide) && !url.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
})

test('who has the words of a law or of another product finds the page that answers them first', () => {
  const [file = ''] = globSync('assets/search-*.json', { cwd: dist })
  const index = MiniSearch.loadJSON(readFileSync(join(dist, file), 'utf8'), searchOptions)
  const elsewhere = Object.entries(otherWords).flatMap(([place, words]) =>
    words.filter((word) => index.search(word)[0]?.id !== addressOfPart(place)),
  )
  expect(elsewhere).toEqual([])
})

test('a page has its styles under each of the names that a developer gives to the own machine', async () => {
  const { port } = new URL(platform().apiUrl)
  for (const name of ['localhost', '127.0.0.1']) {
    await page.goto(`http://${name}:${port}/guide/`, { waitUntil: 'networkidle' })
    const font = await page.evaluate('getComputedStyle(document.body).fontFamily')
    expect([name, font]).toEqual([name, expect.stringContaining('system-ui')])
  }
  expect(complaints).toEqual([])
})

test.each(inSoak)('every page can be read by everybody', { timeout: 3_600_000 }, async () => {
  const found: string[] = []
  for (const name of builtPages().keys()) {
    await page.goto(`${platform().apiUrl}/guide/${name}`)
    const violations = await violationsOf(page)
    if (violations.length > 0) found.push(`${name}: ${JSON.stringify(violations)}`)
  }
  expect(found).toEqual([])
})

test.each(['start/plain-page', 'payments/index'])('%s can be read by everybody', async (path) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${platform().apiUrl}/guide/${path}`)
  expect(await violationsOf(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('#navigation [aria-current=page]').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('addresses without an extension lead to pages, with .md to Markdown, and others nowhere', async () => {
  const get = (path: string) => fetch(`${platform().apiUrl}/guide${path}`, { redirect: 'manual' })
  expect((await get('')).headers.get('location')).toBe('/guide/')
  const answer = await get('/security/keys')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await get('/security/keys.md')).headers.get('content-type')).toContain('text/markdown')
  for (const path of ['/security/none', '/..%2fpackage.json', '/assets/']) expect((await get(path)).status).toBe(404)
})
