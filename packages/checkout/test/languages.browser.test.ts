import type { FrameLocator, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { firstOf } from '../../../.ci/soaks.ts'
import { localeTags } from '../src/locales/index.ts'
import { PATIENCE_MS } from '../src/frame/locale-loader.ts'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

/** Opens the shop with a clock that stands still, so that a form's patience ends when the test says so. */
async function openShopAtRest(): Promise<Page> {
  const page = await stage.openShop()
  await page.clock.install({ time: '2026-01-01T00:00:00Z' })
  await page.clock.pauseAt('2026-01-01T00:00:01Z')
  return page
}

/** Holds the files of the languages back; each is let through by its tag. */
async function holdLanguages(page: Page): Promise<(tag: string) => Promise<void>> {
  const held = new Map<string, PromiseWithResolvers<Route>>()
  const entry = (tag: string): PromiseWithResolvers<Route> => {
    const found = held.get(tag) ?? Promise.withResolvers<Route>()
    held.set(tag, found)
    return found
  }
  await page.route('**/v1/languages/**', (route) => {
    entry(/(\w+)\.json$/.exec(route.request().url())?.[1] ?? '').resolve(route)
  })
  return async (tag) => (await entry(tag).promise).continue()
}

const languageOf = (frame: FrameLocator): Promise<string | null> => frame.locator('html').getAttribute('lang')

// The narrowest one is the hardest; a soak tries those between.
test.each(firstOf([238, 278, 320]))('in a form %i pixels wide no language has a placeholder cut off', async (width) => {
  const page = await stage.openShop()
  await page.evaluate((pixels) => {
    const home = document.querySelector<HTMLElement>('#card')
    if (home) home.style.width = `${pixels}px`
  }, width)
  const frame = await mountCard(page)
  const cut: string[] = []
  for (const locale of ['en', ...localeTags]) {
    await page.evaluate((tag) => window.card.update({ locale: tag }), locale)
    await frame.locator(`html[lang="${locale}"]`).waitFor()
    const fields = await frame.locator('input:visible').evaluateAll((inputs) =>
      inputs.map((input) => {
        const { font, fontFamily, paddingLeft, paddingRight } = getComputedStyle(input)
        const text = Object.assign(document.createElement('span'), { textContent: input.getAttribute('placeholder') })
        text.style.cssText = `position: absolute; white-space: pre; font: ${font}; font-family: ${fontFamily}`
        document.body.append(text)
        const excess = text.offsetWidth - (input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))
        text.remove()
        return `${input.id} ${excess > 1 ? 'cut off' : 'whole'}: ${input.getAttribute('placeholder')}`
      }),
    )
    cut.push(...fields.filter((field) => field.includes('cut off')).map((field) => `${locale} ${field}`))
  }
  expect(cut).toEqual([])
})

test('where there is room the placeholder of the code says how many digits it has, also after a turn of the phone', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { locale: 'de' })
  const code = frame.locator('#cvc')
  const room = (pixels: number) =>
    page.locator('#card').evaluate((home, width) => void (home.style.width = `${width}px`), pixels)
  await room(500)
  await expect.poll(() => code.getAttribute('placeholder')).toBe('3–4 Ziffern (CVC)')
  await room(280)
  await expect.poll(() => code.getAttribute('placeholder')).toBe('CVC')
})

test('in Arabic the form is laid out from right to left, and digits still run from left to right', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { locale: 'ar-EG' })
  await frame.locator('html[lang=ar][dir=rtl]').waitFor()
  const number = frame.getByLabel('رقم البطاقة')
  await number.pressSequentially('42424242')
  await number.press('ArrowLeft')
  await number.press('ArrowLeft')
  await number.pressSequentially('9')
  expect(await number.inputValue()).toBe('4242 4294 2')
  expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(8)
  for (const name of ['number', 'expiry', 'cvc']) {
    const { direction, textAlign } = await frame.locator(`#${name}`).evaluate((input) => {
      const style = getComputedStyle(input)
      return { direction: style.direction, textAlign: style.textAlign }
    })
    expect([name, direction, textAlign]).toEqual([name, 'ltr', 'right'])
  }
  const mark = await frame.locator('.mark').boundingBox()
  const field = await number.boundingBox()
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThan((field?.x ?? 0) + (field?.width ?? 0) / 4)
  await tokenize(page)
  await frame.getByText('أدخل تاريخ الانتهاء.').waitFor()
  await page.evaluate(() => window.card.update({ locale: 'fr' }))
  await frame.locator('html[lang=fr][dir=ltr]').waitFor()
})

test('a language that comes in time is the first that the buyer sees', async () => {
  const page = await openShopAtRest()
  const frame = await mountCard(page, { locale: 'ja' })
  // The clock has not moved: the form can only be seen because its language was there.
  expect(await frame.getByLabel('カード番号').isVisible()).toBe(true)
  expect(await languageOf(frame)).toBe('ja')
})

test('a form whose language takes long is shown in English, and changes under the hands of the buyer', async () => {
  const page = await openShopAtRest()
  const letThrough = await holdLanguages(page)
  const asked = page.waitForRequest('**/v1/languages/**/fr.json')
  const mounting = mountCard(page, { locale: 'fr' })
  await asked
  const frame = page.frameLocator('iframe')
  expect(await frame.locator('form').isHidden()).toBe(true)
  await page.evaluate(() => window.card.focus())
  await page.clock.runFor(PATIENCE_MS)
  await mounting
  await frame.locator('#number:focus').waitFor()

  await typeCard(frame, { number: '4242424242424241', expiry: '12' })
  await frame.getByText('This is not a card number. Check the digits.').waitFor()
  await frame.getByLabel('Expiry date').focus()
  await letThrough('fr')
  await frame.getByText('Ce n’est pas un numéro de carte. Vérifiez les chiffres.').waitFor()
  expect(await frame.getByLabel('Numéro de carte').inputValue()).toBe('4242 4242 4242 4241')
  expect(await frame.locator('#expiry:focus').inputValue()).toBe('12 / ')
  expect(await languageOf(frame)).toBe('fr')
})

test('the language that was asked for last wins', async () => {
  const page = await stage.openShop()
  const letThrough = await holdLanguages(page)
  const frame = await mountCard(page, { locale: 'fr' })
  await page.evaluate(() => window.card.update({ locale: 'de' }))
  await letThrough('de')
  await frame.locator('html[lang=de]').waitFor()
  const answered = page.waitForResponse('**/fr.json')
  await letThrough('fr')
  await (await answered).finished()
  await page.evaluate(() => window.card.focus())
  await frame.locator('#number:focus').waitFor()
  expect(await languageOf(frame)).toBe('de')
})

test.each([
  ['does not come', (route: Route) => route.abort(), ['Failed to load resource: net::ERR_FAILED']],
  ['is something else', (route: Route) => route.fulfill({ json: { labels: { number: '<img src=x>' } } }), []],
])('a language whose file %s leaves a form that works in English', async (_, answer, complaints) => {
  const page = await openShopAtRest()
  await page.route('**/v1/languages/**', answer)
  // The clock stands still: the form is shown because it knows that there is nothing to wait for.
  const frame = await mountCard(page, { locale: 'fr' })
  expect(await languageOf(frame)).toBe('en')
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  expect(stage.takeComplaints()).toEqual(complaints)
})

test('on a phone of 320 pixels date and code stand side by side, even where one label takes two lines', async () => {
  const page = await stage.openShop({ width: 320, height: 640 })
  const frame = await mountCard(page)
  for (const tag of ['fr', 'pl', 'ur', 'el']) {
    await page.evaluate((locale) => window.card.update({ locale }), tag)
    await frame.locator(`html[lang=${tag}]`).waitFor()
    const { width, tops } = await frame.locator('html').evaluate(({ scrollWidth }) => ({
      width: scrollWidth,
      tops: Array.from(document.querySelectorAll('#expiry, #cvc'), (input) => input.getBoundingClientRect().top),
    }))
    expect([tag, width, tops[0]]).toEqual([tag, 288, tops[1]])
  }
})
