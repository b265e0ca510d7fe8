import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, FrameLocator, Page, ViewportSize } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runAxe, WCAG } from '../../.ci/accessibility.ts'
import { closeContexts, sharedChromium } from '../../.ci/chromium.ts'
import { firstOf, inSoak } from '../../.ci/soaks.ts'
import { localeTags } from '../../packages/checkout/src/locales/index.ts'
import { comparePictures } from './compare-pictures.ts'
import { type Playground, startPlayground } from './start-playground.ts'

const pictures = join(import.meta.dirname, 'dist')
const states = ['empty', 'focused', 'filled', 'error', 'busy'] as const
/** States with a part more, and what their fields hold together with it. */
const larger = ['choice', 'name', 'saved'] as const
/** High enough for all of a theme: frames that are out of sight are not painted. */
const WIDE = { width: 1280, height: 1000 }

/** How each theme looks: the colour scheme, a field and its edges, and the edge of a focused and of a wrong one. */
const looks = {
  light: ['light', 'rgb(255, 255, 255)', '1px', 'rgb(134, 141, 158)', 'rgb(52, 81, 209)', 'rgb(192, 38, 58)'],
  dark: ['dark', 'rgb(29, 33, 48)', '1px', 'rgb(115, 123, 143)', 'rgb(147, 167, 255)', 'rgb(255, 141, 153)'],
  flat: ['light', 'rgb(237, 239, 244)', '0px', 'rgb(118, 126, 145)', 'rgb(52, 81, 209)', 'rgb(192, 38, 58)'],
  minimal: ['light', 'rgba(0, 0, 0, 0)', '0px', 'rgb(134, 141, 158)', 'rgb(52, 81, 209)', 'rgb(192, 38, 58)'],
} as const
const themes = ['light', 'dark', 'flat', 'minimal'] as const

let browser: Browser
let playground: Playground
beforeAll(async () => {
  playground = await startPlayground(0)
  browser = await sharedChromium()
  await mkdir(pictures, { recursive: true })
})
afterAll(async () => {
  await closeContexts(browser)
  await playground.close()
})

// That text of the other themes has contrast is a test of the checkout's own.
describe.each(firstOf(themes))('the theme %s', (theme) => {
  let page: Page
  beforeAll(async () => {
    page = await open(theme)
  })
  afterAll(() => closeContexts(browser))

  test('has its own colours and sizes in every state', async () => {
    const [scheme, field, sides, edge, focused, wrong] = looks[theme]
    expect(await look(page, 'empty')).toEqual([scheme, field, sides, edge])
    expect(await look(page, 'focused')).toEqual([scheme, field, sides, focused])
    expect(await look(page, 'filled')).toEqual([scheme, field, sides, edge])
    expect(await look(page, 'error')).toEqual([scheme, field, sides, wrong])
    expect(await look(page, 'busy')).toEqual([scheme, field, sides, edge])
    expect(await form(page, 'busy').locator('form').getAttribute('aria-busy')).toBe('true')
    const heights = await Promise.all(states.map((state) => heightOf(page, state)))
    const [empty = 0, ...others] = heights
    // Two lines of messages, and nothing else, make a form higher.
    expect(others.filter((height) => height !== empty)).toEqual([heights[3]])
    expect(heights[3]).toBeGreaterThan(empty + 20)
    for (const state of larger) expect(await heightOf(page, state)).toBeGreaterThan(empty + 40)
    expect(await form(page, 'choice').getByRole('radio', { checked: true }).getAttribute('value')).toBe('bancontact')
    expect(await form(page, 'saved').getByRole('radio', { checked: true }).getAttribute('value')).toBe('pi_amex')
    expect(await form(page, 'name').getByLabel('Name on card').inputValue()).toBe('Ada Lovelace')
    await page.screenshot({ path: join(pictures, `${theme}-1280.png`) })
  })

  test('fits on a phone, and axe finds nothing in any state', async () => {
    await page.setViewportSize({ width: 390, height: 2200 })
    for (const state of [...states, ...larger]) await heightOf(page, state)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.screenshot({ path: join(pictures, `${theme}-390.png`) })
    // axe judges a frame by itself and takes for white what is transparent; the buyer sees the page's ground there.
    const ground = await page.locator('section').evaluate((section) => getComputedStyle(section).backgroundColor)
    for (const state of [...states, ...larger]) {
      await form(page, state)
        .locator('body')
        .evaluate((body, color) => void (body.style.backgroundColor = color), ground)
    }
    const { violations, passes } = await runAxe(page, { tags: WCAG })
    expect(violations).toEqual([])
    // The rules have looked into all eight frames: two labelled fields each at least, and six have three.
    expect(passes['label']).toBeGreaterThanOrEqual(22)
    for (const state of [...states, ...larger]) {
      await form(page, state)
        .locator('body')
        .evaluate((body) => void body.style.removeProperty('background-color'))
    }
  })

  test('looks as it did at the last review', async () => {
    await page.setViewportSize(WIDE)
    for (const state of [...states, ...larger]) await form(page, state).locator('html').evaluate(hideLetters)
    await page.locator('section').evaluate((section) => void (section.style.color = 'transparent'))
    await page.locator('figcaption').evaluateAll((captions) => captions.forEach((each) => each.remove()))
    const shot = await page.locator('section').screenshot({ animations: 'disabled', caret: 'hide' })
    const kept = join(import.meta.dirname, 'pictures', `${theme}.png`)
    expect(await comparePictures(shot, kept, join(pictures, `${theme}-difference.png`))).toBeLessThan(0.0003)
  })
})

test.each(inSoak)('every language is shown with its own labels', async () => {
  const page = await visit('/?theme=light&locale=all', WIDE)
  const titles = ['en', ...localeTags]
  expect(await page.locator('section').evaluateAll((sections) => sections.map((each) => each.dataset.title))).toEqual(
    titles,
  )
  const labels = await Promise.all(
    titles.map((tag) =>
      page.frameLocator(`[data-title=${tag}] [data-state=empty] iframe`).locator('label').first().textContent(),
    ),
  )
  // Some neighbours say it alike.
  expect(new Set(labels).size).toBeGreaterThan(35)
  expect(labels.every((label) => label !== '')).toBe(true)
  await page.screenshot({ path: join(pictures, 'languages.png'), fullPage: true })
})

/** Runs in a card form: machines have other fonts, so a picture that is compared has boxes, edges and marks alone. */
function hideLetters(root: HTMLElement | SVGElement): void {
  for (const name of ['text', 'label', 'placeholder', 'field-text', 'muted']) {
    root.style.setProperty(`--color-${name}`, 'transparent')
  }
  for (const message of root.querySelectorAll('p')) message.style.color = 'transparent'
  for (const letters of root.querySelectorAll('symbol text')) letters.remove()
}

/** Opens the playground with one theme. */
async function open(theme: string): Promise<Page> {
  const page = await visit(`/?theme=${theme}`, WIDE)
  await form(page, 'busy').locator('form[aria-busy=true]').waitFor()
  for (const state of [...states, ...larger]) await heightOf(page, state)
  return page
}

/** Opens the playground and waits until all of its forms are ready, without a complaint. */
async function visit(address: string, viewport: ViewportSize): Promise<Page> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(error.message))
  await page.goto(`${playground.url}${address}`)
  await page.locator('html[data-ready]').waitFor()
  expect(complaints).toEqual([])
  return page
}

function form(page: Page, state: string): FrameLocator {
  return page.frameLocator(`[data-state=${state}] iframe`)
}

/** Colour scheme, ground, width of the top edge and colour of the bottom edge of the number's field. */
function look(page: Page, state: string): Promise<string[]> {
  return form(page, state)
    .locator('#number')
    .evaluate((input) => {
      const style = getComputedStyle(input)
      return [style.colorScheme, style.backgroundColor, style.borderTopWidth, style.borderBottomColor]
    })
}

/** The height of a frame, once it is that of its content. */
async function heightOf(page: Page, state: string): Promise<number> {
  const outer = () => page.locator(`[data-state=${state}] iframe`).evaluate((iframe) => iframe.clientHeight)
  const inner = () =>
    form(page, state)
      .locator('body')
      .evaluate((body: HTMLElement) => Math.ceil(body.offsetHeight))
  await vi.waitFor(async () => expect((await outer()) - (await inner())).toBe(0), { timeout: 60_000 })
  return outer()
}
