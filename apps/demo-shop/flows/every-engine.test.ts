import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { inSoak, soaks } from '../../../.ci/soaks.ts'
import { allEngines, enterShop, type Engine, type RunningBrowser, textOf, valueOf } from './browsers/index.ts'
import { startShop, type RunningShop } from './running-shop.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4000000000000002'
/** The bank wants to see the buyer, and asks for a code. */
const CHALLENGED = '4000002760003184'

// In `npm test` the other files walk Chromium.
const wanted = soaks ? allEngines : allEngines.filter(({ name }) => name !== 'Chromium')
for (const { name, missing } of wanted) if (missing !== null) console.warn(`${name} is not tested: ${missing}`)
const engines = wanted.filter(({ missing }) => missing === null)

let shop: RunningShop
const browsers = new Map<Engine, RunningBrowser>()
beforeAll(async () => {
  const launch = async (engine: Engine) => void browsers.set(engine, await engine.launch())
  const starting = [startShop().then((started) => void (shop = started)), ...engines.map(launch)]
  await Promise.all(starting)
})
afterAll(() => Promise.all([shop?.stop(), ...[...browsers.values()].map((browser) => browser.close())]))

describe.each(engines)('in $name', (engine) => {
  async function enter(browser = browsers.get(engine)) {
    if (browser === undefined) throw new Error(`${engine.name} was not launched.`)
    const shopper = await enterShop(browser, shop.local.shopUrl)
    onTestFinished(() => shopper.page.close())
    return shopper
  }

  test('with a keyboard alone a buyer pastes a number, sees its brand, types the rest and the bank’s code, and has paid', async () => {
    const { page, card, arriveInCard, arriveAtBank, see } = await enter()
    await page.click('#email')
    await page.type(CHALLENGED)
    await page.press('Control', 'a')
    await page.press('Control', 'x')
    await page.type('ada@example.com')
    await page.press('Enter')
    // The form is empty, and the keyboard has not been in it: now it goes where the first error is.
    await arriveInCard()
    await page.press('Control', 'v')
    await page.press('Tab')
    await page.type('1234123')
    expect(await card.evaluate(valueOf, '#number')).toBe('4000 0027 6000 3184')
    expect(await card.evaluate(valueOf, '#cvc')).toBe('123')
    expect(await card.evaluate((id) => document.getElementById(id)?.textContent, 'brand-name')).toBe('Visa')
    await page.press('Enter')
    await arriveAtBank()
    if (engine.name === 'WebKit') await page.press('Tab') // it lets no bank take the focus without the buyer
    await page.type('1234')
    await page.press('Enter')
    await see('#receipt', 'Visa •••• 3184')
  })

  test.each(inSoak)('card.focus() takes the keyboard to the number, even before any visit to the form', async () => {
    const { page, card, arriveInCard } = await enter()
    await page.evaluate(async (key) => {
      document.querySelector('#means')?.replaceChildren()
      const form = (await window.Tillwright.init({ publishableKey: key })).card().mount('#means')
      document.querySelector('h1')?.addEventListener('click', () => form.focus())
      await new Promise((ready) => form.on('ready', () => ready(null)))
    }, shop.local.publishableKey)
    await page.click('h1')
    await arriveInCard()
    await page.type('4242')
    expect(await card.evaluate(valueOf, '#number')).toBe('4242')
  })

  test.each(inSoak)('a form is kept while it answers, and given up when it answers no longer', async () => {
    const { page, card } = await enter()
    await page.evaluate(async (key) => {
      document.querySelector('#means')?.replaceChildren()
      const { MessageChannel: Channel, setInterval: repeat } = window
      Object.assign(window, { setInterval: (run: () => void, ms: number) => repeat(run, ms / 5) })
      let answers = 0
      const form = (await window.Tillwright.init({ publishableKey: key })).card()
      await new Promise((enough) => {
        window.MessageChannel = function Watched() {
          const channel = new Channel()
          channel.port1.addEventListener('message', ({ data }) => {
            if (data.type === 'ping' && (answers += 1) === 6) enough(null) // twice as many as may be lost
          })
          return channel
        } as unknown as typeof MessageChannel
        form.mount('#means')
      })
      Object.assign(window, { gone: new Promise((tell) => form.on('error', ({ code }) => tell(code))) })
    }, shop.local.publishableKey)
    // Nothing else of a process that has died is seen in the page.
    await card.evaluate(() => void (MessagePort.prototype.postMessage = () => {}))
    expect(await page.evaluate(() => Reflect.get(window, 'gone'))).toBe('frame_unavailable')
    expect(await page.evaluate(() => document.querySelectorAll('#means iframe').length)).toBe(0)
  })

  test.each(inSoak)('a buyer with a pointer pays, and Tab leads through the page and the form', async () => {
    const { page, card, see } = await enter()
    await page.click('#email')
    await page.type('ada@example.com')
    await page.press('Tab') // to the methods, of which the card is chosen
    await page.press('Tab')
    await page.type(CHARGED)
    await page.press('Tab') // the focus has moved on automatically: this one changes nothing
    await page.type('1234')
    await page.press('Tab')
    await page.type('123')
    expect(await card.evaluate(valueOf, '#cvc')).toBe('123')
    await page.click('#pay')
    await see('#receipt', 'Visa •••• 4242')
  })

  test.each(inSoak)('the bank rejects a wrong code, and the right one pays', async () => {
    const { page, bank, fillIn, arriveAtBank, see } = await enter()
    await fillIn(CHALLENGED)
    await page.click('#pay')
    await arriveAtBank()
    await bank.click('#code')
    await page.type('9999')
    await page.press('Enter')
    await see('#wrong', '2 tries left', bank)
    await bank.click('#code')
    await page.type('1234')
    await page.press('Enter')
    await see('#receipt', 'Visa •••• 3184')
  })

  test.each(inSoak)('a buyer who cancels learns that nothing was charged, and pays with another card', async () => {
    const { page, card, fillIn, arriveAtBank, see } = await enter()
    await fillIn(CHALLENGED)
    await page.click('#pay')
    await arriveAtBank()
    await page.press('Escape')
    await see('#problem', 'You were not charged')
    await card.click('#number')
    await page.press('Control', 'a')
    await page.type(CHARGED)
    await page.click('#pay')
    await see('#receipt', 'Visa •••• 4242')
  })

  test.each(inSoak)('a decline is explained in the shop’s words', async () => {
    const { page, fillIn, see } = await enter()
    await fillIn(DECLINED)
    await page.click('#pay')
    await see('#problem', 'Your bank declined this card.')
  })

  test.each(inSoak)('in Arabic the form runs from the right, and its numbers from the left', async () => {
    const { page, card } = await enter()
    await page.evaluate(async (key) => {
      document.documentElement.dir = 'rtl'
      document.querySelector('#means')?.replaceChildren()
      const checkout = await window.Tillwright.init({ publishableKey: key, locale: 'ar' })
      const form = checkout.card().mount('#means')
      await new Promise((ready) => form.on('ready', () => ready(null)))
    }, shop.local.publishableKey)
    await card.click('#number')
    await page.type(`${CHARGED}1234123`)
    await expect.poll(() => card.evaluate(valueOf, '#cvc')).toBe('123')
    expect(await card.evaluate(valueOf, '#number')).toBe('4242 4242 4242 4242')
    expect(await card.evaluate(textOf, '#number-label')).toBe('رقم البطاقة')
    const { direction, expiryX, cvcX } = await card.evaluate(() => {
      const left = (id: string) => document.getElementById(id)?.getBoundingClientRect().left ?? 0
      return { direction: getComputedStyle(document.body).direction, expiryX: left('expiry'), cvcX: left('cvc') }
    })
    expect(direction).toBe('rtl')
    expect(expiryX).toBeGreaterThan(cvcX)
  })

  test.each(inSoak)('a browser that prefers dark pages is shown a dark form', async () => {
    const browser = await engine.launch({ dark: true })
    onTestFinished(() => browser.close())
    const { card } = await enter(browser)
    const ink = await card.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g)?.map(Number) ?? [])
    expect(Math.min(...ink)).toBeGreaterThan(180)
  })

  test.each(
    inSoak.flatMap(
      () =>
        [
          ['320 pixels wide', 320, 640],
          ['zoomed to 400 %, of 1280 by 1024', 320, 256],
        ] as const,
    ),
  )('%s all of the page fits from side to side, and a challenge is passed', async (_, widthPx, heightPx) => {
    const { page, card, bank, fillIn, arriveAtBank, see } = await enter()
    await page.resize(widthPx, heightPx)
    await fillIn(CHALLENGED)
    const overflow = () => document.documentElement.scrollWidth - innerWidth
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    expect(await card.evaluate(overflow)).toBeLessThanOrEqual(0)
    await page.click('#pay')
    await arriveAtBank()
    expect(await bank.evaluate(overflow)).toBeLessThanOrEqual(0)
    await bank.click('#code')
    await page.type('1234')
    await page.press('Enter')
    await see('#receipt', 'Visa •••• 3184')
  })
})
