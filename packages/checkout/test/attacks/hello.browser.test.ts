import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackStage, setAttackStage } from '../attack-stage.ts'
import { mountCard, tokenize, typeCard } from '../shop-page.ts'

let stage: AttackStage
beforeAll(async () => {
  stage = await setAttackStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const targetsExactly = {
  file: 'page/frame.ts',
  code: 'postMessage(answer, vaultOrigin, [port2])',
  instead: "postMessage(answer, '*', [port2])",
}
const checksOrigin = { file: 'page/frame.ts', code: 'origin !== vaultOrigin', instead: 'false' }
const checksSource = { file: 'page/frame.ts', code: 'source !== iframe.contentWindow', instead: 'false' }
const checksId = { file: 'wire/handshake.ts', code: 'data.id === id', instead: 'true' }
const checksVersion = { file: 'wire/handshake.ts', code: 'data.v === WIRE_VERSION', instead: 'true' }
const copiesNothing = {
  file: 'wire/handshake.ts',
  code: 'isObject(data) &&',
  instead: 'isObject(data) && (data = Object.assign({}, data)) &&',
}

test('another origin in the place of the card frame gets no port, though it knows the id', async () => {
  const hellos = ['{"tillwright":"hello","v":1,"id":"ID"}']
  expect(await answersTo(hellos, stage.evilUrl, await stage.open())).toEqual([])
  // The two defences cover each other.
  expect(await answersTo(hellos, stage.evilUrl, await stage.openWithout(checksOrigin))).toEqual([])
  expect(await answersTo(hellos, stage.evilUrl, await stage.openWithout(checksOrigin, targetsExactly))).toEqual([
    'port',
  ])
})

test.each([
  ['with a guessed id', ['""', '"0"', '"ID-"', 'null', '["ID"]', '{"toString":"ID"}'].map(helloWithId), checksId],
  ['of an unknown version', ['0', '2', '"1"', 'null', '[1]', '1.5'].map(helloOfVersion), checksVersion],
  ['in a prototype', ['{"__proto__":{"tillwright":"hello","v":1,"id":"ID"}}'], copiesNothing],
])('a hello %s is not answered, even to a document of the vault', async (_, hellos, defence) => {
  const origin = stage.vault.url
  expect(await answersTo(hellos, origin, await stage.open())).toEqual([])
  expect(await answersTo(hellos, origin, await stage.openWithout(defence))).toEqual(['port'])
})

test('a hello that is said again gets no second port', async () => {
  const hellos = Array.from({ length: 3 }, () => helloOfVersion('1'))
  expect(await answersTo(hellos, stage.vault.url, await stage.open())).toEqual(['port'])
})

test.each([
  ['of the vault itself', () => stage.vault.url],
  ['of another site', () => stage.evilUrl],
])('a hello with the right id from another frame, %s, does not make the page give its port away', async (_, url) => {
  const page = await stage.open()
  const release = await holdCardFrame(page)
  const ready = mountCard(page)
  await helloFromSibling(page, url())
  release()
  await ready
  await typeCard(page.frameLocator('iframe[title="Card details"]'))
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('without the checks of source and origin that hello would have spent the port', async () => {
  const page = await stage.openWithout(checksSource, checksOrigin)
  const release = await holdCardFrame(page)
  // The browser says so on the console when the port is posted to a frame that is not the vault's yet.
  const astray = page.waitForEvent('console', (message) => message.text().includes('target origin'))
  const ready = mountCard(page).catch(() => 'never')
  await helloFromSibling(page, stage.evilUrl)
  await astray
  release()
  await page.close()
  expect(await ready).toBe('never')
})

test('two card forms in a page keep their cards, events and answers apart', async () => {
  const page = await stage.open()
  await mountCard(page)
  await page.evaluate(async () => {
    const first = window.card
    const second = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card()
    second.on('change', (state) => void window.events.push(['second', state]))
    const ready = new Promise<void>((resolve) => void second.on('ready', resolve))
    second.mount('#card')
    await ready
    Object.assign(window, { cards: [first, second] })
  })
  await typeCard(page.frameLocator('iframe').nth(0))
  const names = await page.evaluate(() => window.events.map(([name]) => name))
  expect(names.filter((name) => name === 'second')).toHaveLength(1)
  await typeCard(page.frameLocator('iframe').nth(1), { number: '5555555555554444' })
  const lastFours = await page.evaluate(() => {
    const cards: (typeof window.card)[] = Reflect.get(window, 'cards')
    return Promise.all(cards.map(async (card) => (await card.tokenize()).card.last4))
  })
  expect(lastFours).toEqual(['4242', '4444'])
  const ids = await page.evaluate(() =>
    [...document.querySelectorAll('iframe')].map(({ src }) => new URL(src).searchParams.get('id')),
  )
  expect(new Set(ids).size).toBe(2)
})

test('a frame that is led away from the vault ends the card form, whatever was typed', async () => {
  const navigate = async (page: Page): Promise<unknown> => {
    await typeCard(await mountCard(page))
    return page.evaluate(async (url) => {
      const iframe = document.querySelector('iframe')
      if (!iframe) return null
      const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve))
      iframe.src = url
      await loaded
      return { errors: window.events.filter(([name]) => name === 'error').length, inPage: iframe.isConnected }
    }, stage.evilUrl)
  }
  const page = await stage.open()
  expect(await navigate(page)).toEqual({ errors: 1, inPage: false })
  expect(await tokenize(page)).toMatchObject({ code: 'not_mounted' })
  const noticesReload = { file: 'page/frame.ts', code: 'if (isLoaded) return', instead: 'if (false) return' }
  expect(await navigate(await stage.openWithout(noticesReload))).toEqual({ errors: 0, inPage: true })
})

function helloWithId(id: string): string {
  return `{"tillwright":"hello","v":1,"id":${id}}`
}

function helloOfVersion(version: string): string {
  return `{"tillwright":"hello","v":${version},"id":"ID"}`
}

/**
 * Puts a document of our own into the place of the card frame, lets it say hellos (JSON; `ID` stands for the right id),
 * and answers which steps of the handshake it heard before the page answered a question that came after them.
 */
async function answersTo(hellos: readonly string[], origin: string, page: Page): Promise<string[]> {
  await page.context().addInitScript(sayHellos)
  await page.route(`${stage.vault.url}/impostor`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Impostor</title>' }),
  )
  return page.evaluate(
    async ([url, texts]) => {
      const card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card().mount('#card')
      const iframe = document.querySelector('iframe')
      const id = new URL(iframe?.src ?? '').searchParams.get('id') ?? ''
      const heard = new Promise<string[]>((resolve) =>
        window.addEventListener('message', ({ data, source }) => {
          if (data.report) resolve(data.report)
          if (data.question) source?.postMessage({ answer: true }, { targetOrigin: '*' })
        }),
      )
      const said = texts.map((text) => text.replaceAll('ID', id))
      if (iframe) iframe.src = `${url}/impostor#${encodeURIComponent(JSON.stringify(said))}`
      const report = await heard
      card.destroy()
      return report
    },
    [origin, hellos] as const,
  )
}

/** Runs in every window; in the impostor's it says what the address tells it to, and reports what it was told. */
function sayHellos(): void {
  if (location.pathname !== '/impostor') return
  const heard: string[] = []
  window.addEventListener('message', ({ data, ports }) => {
    if (data.answer) parent.postMessage({ report: heard }, '*')
    else if (ports.length > 0) heard.push(data.tillwright)
  })
  const hellos: string[] = JSON.parse(decodeURIComponent(location.hash.slice(1)))
  for (const hello of hellos) parent.postMessage(JSON.parse(hello), '*')
  parent.postMessage({ question: true }, '*')
}

/** Keeps the card frame from loading until the returned function is called. */
async function holdCardFrame(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/card?*', async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

/** Sends a correct hello from a sibling of the card frame, and waits until the page has received it. */
async function helloFromSibling(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/sibling`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Sibling</title>' }),
  )
  const id = await page.evaluate(async (url) => {
    const iframe = document.createElement('iframe')
    iframe.src = `${url}/sibling`
    const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve))
    document.body.append(iframe)
    await loaded
    return new URL(document.querySelector<HTMLIFrameElement>('iframe[title]')?.src ?? '').searchParams.get('id')
  }, origin)
  const heard = page.waitForFunction(() => window.heard.some((message) => message.includes('hello')))
  await page
    .frames()
    .find((frame) => frame.url().endsWith('/sibling'))
    ?.evaluate((right) => parent.postMessage({ tillwright: 'hello', v: 1, id: right }, '*'), id)
  await heard
}
