import type { Page } from 'playwright-core'
import { createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Card, CheckoutProvider } from '../src/react/index.ts'
import { bundlePage } from './bundle-page.ts'
import type { ReactPageProps } from './react-page.ts'
import { typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'
import { windowListeners } from './window-listeners.ts'

let stage: Stage
let script: string
beforeAll(async () => {
  stage = await setStage()
  script = await bundlePage(import.meta.resolve('./react-page.ts'))
})
afterEach(() => {
  delete stage.vault.challenge
  return stage.clear()
})
afterAll(() => stage.close())

const service = { serviceToken: 'service-token', card: { last4: '4242' } }

async function openReactShop(): Promise<Page> {
  const page = await stage.openShop()
  await page.evaluate(script)
  return page
}

function propsOf(more: Partial<ReactPageProps> = {}): ReactPageProps {
  return { options: { publishableKey: 'test_pk_shop', vaultUrl: stage.vault.url }, ...more }
}

function show(page: Page, more?: Partial<ReactPageProps>): Promise<void> {
  return page.evaluate((props) => window.reactPage.show(props), propsOf(more))
}

function tokenize(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    window.reactPage
      .card()
      ?.tokenize()
      .catch(({ code }) => code),
  )
}

/** The names of the card's events so far. */
function eventNames(page: Page): Promise<string[]> {
  return page.evaluate(() => window.events.map(([name]) => name))
}

test('in StrictMode one frame is left, and its card becomes a token', async () => {
  const page = await openReactShop()
  // A card that joins a checkout which has started is mounted twice; one that is there before is mounted once.
  await show(page, { card: null })
  await page.getByText('some').waitFor()
  await show(page)
  const frame = page.frameLocator('iframe')
  await typeCard(frame)
  expect(await page.locator('iframe').count()).toBe(1)
  expect(await tokenize(page)).toMatchObject(service)
  await frame.getByLabel('Security code').press('Enter')
  await expect.poll(() => eventNames(page)).toContain('submit')
  const names = await eventNames(page)
  expect(names.filter((name) => name === 'ready')).toHaveLength(1)
  expect(names).toEqual(expect.arrayContaining(['change', 'focus']))
  expect(names).not.toContain('error')
})

test('other callbacks, texts and looks at every render leave what was typed', async () => {
  const page = await openReactShop()
  await show(page)
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Card number').fill('4242')
  await show(page, { render: '-2', card: { locale: 'de', appearance: { theme: 'dark' } } })
  await frame.getByLabel('Kartennummer').pressSequentially('42')
  expect(await frame.getByLabel('Kartennummer').inputValue()).toBe('4242 42')
  await frame.getByLabel('Kartennummer').press('Enter')
  await expect.poll(() => eventNames(page)).toContain('submit-2')
  expect(await page.locator('iframe').evaluate((iframe) => iframe.style.colorScheme)).toBe('dark')

  // A prop that is removed falls back to the provider's, and then to the default.
  await show(page, { render: '-3', options: { ...propsOf().options, locale: 'fr' } })
  await frame.getByLabel('Numéro de carte').waitFor()
  await show(page)
  await frame.getByLabel('Card number').waitFor()
  expect(await page.locator('iframe').evaluate((iframe) => iframe.style.colorScheme)).toBe('light')
  expect((await eventNames(page)).filter((name) => name.startsWith('ready'))).toEqual(['ready'])
})

test('saved cards are an option like others, and a challenge is solved by the callback of the last render', async () => {
  stage.vault.challenge = 'solved'
  const page = await openReactShop()
  const visa = { paymentInstrumentId: 'pi_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 }
  const showSolving = (response: string, card: ReactPageProps['card'] = {}) =>
    page.evaluate(
      ({ props, text }) =>
        window.reactPage.show({ ...props, options: { ...props.options, onChallenge: async () => text } }),
      { props: propsOf({ card }), text: response },
    )
  await showSolving('wrong', { savedCards: [visa] })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Security code').pressSequentially('123')
  await showSolving('solved', { savedCards: [visa] })
  expect(await frame.getByLabel('Security code').inputValue()).toBe('123')
  expect(await tokenize(page)).toMatchObject({ securityCodeToken: 'code-token' })
  await showSolving('solved')
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject(service)
  expect(stage.takeComplaints()).toHaveLength(2) // the browser's own word on each 403
})

test('networks and name are options of a card, and of the provider for all that do not say otherwise', async () => {
  const page = await openReactShop()
  const options = { ...propsOf().options, name: true, networks: { allowed: ['maestro'] } } as const
  await show(page, { options })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Name on card').fill('Ada Lovelace')
  await frame.getByLabel('Card number').pressSequentially('67034')
  expect(await frame.getByRole('radio').count()).toBe(0)
  await show(page, { render: '-2', options, card: { name: false, networks: {} } })
  await frame.getByLabel('Maestro').check()
  expect(await frame.locator('#name').isVisible()).toBe(false)
  const brands = () => page.evaluate(() => window.events.filter(([name]) => name.startsWith('brand')))
  await expect.poll(brands).toEqual([
    ['brand', { brand: 'maestro', networks: ['maestro'] }],
    ['brand-2', { brand: 'bancontact', networks: ['bancontact', 'maestro'] }],
    ['brand-2', { brand: 'maestro', networks: ['bancontact', 'maestro'] }],
  ])
})

test('another key makes another form, and one frame is left', async () => {
  const page = await openReactShop()
  await show(page)
  await page.frameLocator('iframe').getByLabel('Card number').fill('4242')
  await show(page, { options: { publishableKey: 'test_pk_other', vaultUrl: stage.vault.url } })
  await page.locator('iframe[src*="key=test_pk_other"]').waitFor()
  expect(await page.locator('iframe').count()).toBe(1)
  expect(await page.frameLocator('iframe').getByLabel('Card number').inputValue()).toBe('')
})

test('a component that leaves takes its frame and its listeners along, whenever it does', async () => {
  const page = await openReactShop()
  const before = await windowListeners(page)
  await show(page)
  await page.locator('iframe').waitFor({ state: 'attached' })
  await page.evaluate(() => window.reactPage.leave())
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await windowListeners(page)).toEqual(before)

  await show(page)
  await page.frameLocator('iframe').getByLabel('Card number').fill('4242')
  const code = await page.evaluate(() => {
    const card = window.reactPage.card()
    window.reactPage.leave()
    return card?.tokenize().catch((error) => error.code)
  })
  expect(code).toBe('not_mounted')
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await windowListeners(page)).toEqual(before)
})

test('a neighbour that suspends hides the form, and what was typed is still there afterwards', async () => {
  const page = await openReactShop()
  // StrictMode repeats the effects of what is shown again, in development, to find the code that cannot bear it.
  const props = propsOf({ mode: 'plain' })
  await show(page, props)
  await typeCard(page.frameLocator('iframe'))
  const resume = await page.evaluateHandle((given) => window.reactPage.suspend(given), props)
  await page.locator('iframe').waitFor({ state: 'hidden' })
  expect(await page.locator('iframe').count()).toBe(1)
  await resume.evaluate((call) => call())
  await page.locator('iframe').waitFor()
  expect(await tokenize(page)).toMatchObject(service)
})

test('the markup of a server is taken over without a complaint', async () => {
  const page = await openReactShop()
  const beside = createElement('p', null, 'none')
  const markup = renderToString(
    createElement(Suspense, null, createElement(CheckoutProvider, propsOf(), createElement(Card), beside)),
  )
  expect(markup).toContain('<div></div><p>none</p>')
  await page.evaluate(([props, html]) => window.reactPage.hydrate(props, html), [propsOf(), markup] as const)
  await typeCard(page.frameLocator('iframe'))
  expect(await tokenize(page)).toMatchObject(service)
  expect(await eventNames(page)).not.toContain('recoverable')
})

test.each([
  ['a key', { options: { publishableKey: 'pk' } }],
  // A script without types may pass any theme.
  ['a theme', { card: { appearance: { theme: 'pink' as 'dark' } } }],
])('%s that cannot be reaches the error boundary', async (_, more) => {
  const page = await openReactShop()
  await show(page, more)
  expect(await page.locator('output').textContent()).toBe('argument_invalid')
  expect(stage.takeComplaints().join()).toContain('CheckoutError') // React tells of what a boundary has caught
  expect(await page.locator('iframe').count()).toBe(0)
})

test('a refused form is reported to onLoadError, and retry() of the ref mends it', async () => {
  const page = await openReactShop()
  stage.vault.allowedOrigins = []
  await show(page)
  await expect.poll(() => eventNames(page), { timeout: 60_000 }).toContain('loaderror')
  stage.vault.allowedOrigins = [stage.shopUrl]
  expect(await tokenize(page)).toBe('not_mounted')
  await page.evaluate(() => window.reactPage.card()?.retry())
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
  expect(stage.takeComplaints().join()).toContain('frame-ancestors')
})
