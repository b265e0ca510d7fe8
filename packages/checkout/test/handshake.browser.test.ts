import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listen } from './listen.ts'
import { loaderListeners } from './loader-listeners.ts'
import { mountCard, tokenize } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())
beforeEach(() => {
  stage.vault.allowedOrigins = [stage.shopUrl]
})

test('a refused frame is reported to listeners and to the call that waits for it', async () => {
  stage.vault.allowedOrigins = ['https://other.example']
  const page = await stage.openShop()
  const codes = await page.evaluate(async () => {
    const card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card().mount('#card')
    const event = new Promise<string>((resolve) => void card.on('loaderror', ({ code }) => resolve(code)))
    const call = card.tokenize().catch(({ code }) => code)
    return Promise.all([event, call])
  })
  expect(codes).toEqual(['frame_unavailable', 'frame_unavailable'])
  expect(stage.takeComplaints().join()).toContain('frame-ancestors https://other.example')
  expect(await page.locator('iframe').count()).toBe(0)
})

test('the page listens for a hello as long as it waits for one, and destroy() ends that', async () => {
  const page = await stage.openShop()
  await page.route('**/v1/card?*', () => {}) // never answered
  await page.evaluate(async () => {
    window.card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card().mount('#card')
  })
  expect(await loaderListeners(page)).toEqual(['message on window'])
  await page.evaluate(() => window.card.destroy())
  expect(await loaderListeners(page)).toEqual([])
})

test('a hello from the page itself, with everything right but its origin and source, is ignored', async () => {
  const page = await stage.openShop()
  const ports = await page.evaluate(async () => {
    const card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card()
    const given: string[] = []
    window.addEventListener('message', ({ data }) => void given.push(data.tillwright))
    const ready = new Promise<void>((resolve) => void card.on('ready', resolve))
    card.mount('#card')
    const { src = '' } = document.querySelector('iframe') ?? {}
    window.postMessage({ tillwright: 'hello', v: 1, id: new URL(src).searchParams.get('id') }, '*')
    await ready
    return given
  })
  // The page heard its own hello and the frame's; the answer went to the frame alone.
  expect(ports).toEqual(['hello', 'hello'])
})

test('the frame speaks to no page but the one that the vault has allowed', async () => {
  // Another page embeds the frame of the shop's form: frame-ancestors is lifted to see the handshake alone refuse it.
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Thief</title>')
  })
  const thief = await listen(server)
  const page = await stage.openShop()
  stage.vault.allowedOrigins = [stage.shopUrl, thief.url]
  await page.goto(thief.url)
  const query = new URLSearchParams({ key: 'test_pk_shop', origin: stage.shopUrl, id: 'stolen' })
  await page.evaluate(async (src) => {
    const iframe = document.createElement('iframe')
    iframe.src = src
    const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve))
    document.body.append(iframe)
    await loaded
    const { port1, port2 } = new MessageChannel()
    iframe.contentWindow?.postMessage({ tillwright: 'port', v: 1, id: 'stolen' }, '*', [port2])
    port1.postMessage({ type: 'configure', appearance: {}, locale: 'en' })
  }, `${stage.vault.url}/v1/card?${query}`)

  // The form stays hidden until a configuration arrives; by the time the frame answers this, it has had its chance.
  const frame = page.frames()[1]
  expect(
    await frame?.evaluate(
      () => new Promise((resolve) => setTimeout(() => resolve(document.querySelector('form')?.hidden))),
    ),
  ).toBe(true)
  expect(await page.evaluate(() => window.heard)).toEqual([])
  await page.goto(stage.shopUrl)
  await thief.close()
})

test('a frame that is loaded anew is given up, since what was typed is gone', async () => {
  const page = await stage.openShop()
  await mountCard(page)
  const code = await page.evaluate(async () => {
    const failure = new Promise<string>((resolve) => void window.card.on('error', (error) => resolve(error.code)))
    const iframe = document.querySelector('iframe')
    document.querySelector('main')?.append(iframe ?? '')
    return failure
  })
  expect(code).toBe('frame_unavailable')
  expect(await tokenize(page)).toMatchObject({ code: 'not_mounted' })
})

test('init names the argument that is wrong', async () => {
  const page = await stage.openShop()
  for (const [options, argument] of [
    [{}, 'publishableKey'],
    [{ publishableKey: 'pk' }, 'publishableKey'],
    [{ publishableKey: 'test_pk_1', appearance: { theme: 'pink' } }, 'appearance'],
    [{ publishableKey: 'test_pk_1', locale: 7 }, 'locale'],
    [{ publishableKey: 'test_pk_1', vaultUrl: 'vault' }, 'vaultUrl'],
    [{ publishableKey: 'test_pk_1', vaultUrl: 'http://' }, 'vaultUrl'],
  ] as const) {
    const error = await page.evaluate(async (given) => {
      // A script without types may pass anything.
      const anything: unknown = given
      return window.Tillwright.init(anything as Parameters<typeof window.Tillwright.init>[0]).then(
        () => null,
        ({ code, message }) => ({ code, message }),
      )
    }, options)
    expect(error).toEqual({ code: 'argument_invalid', message: expect.stringContaining(argument) })
  }
})

test('a secret key is refused without being repeated', async () => {
  const page = await stage.openShop()
  const message = await page.evaluate(() =>
    window.Tillwright.init({ publishableKey: 'test_sk_verysecret' }).catch((error) => String(error)),
  )
  expect(message).toContain('secret key')
  expect(message).not.toContain('verysecret')
})

test('mounting where nothing is, twice, or after the end says what to do', async () => {
  const page = await stage.openShop()
  const codes = await page.evaluate(async () => {
    const card = (await window.Tillwright.init({ publishableKey: 'test_pk_1' })).card()
    const mounts = [
      () => card.mount('#nowhere'),
      () => card.mount('#card'),
      () => card.mount('#card'),
      () => card.destroy(),
      () => card.mount('#card'),
    ]
    return mounts.map((call) => {
      try {
        call()
        return null
      } catch (error) {
        return error instanceof window.Tillwright.CheckoutError && error.code
      }
    })
  })
  expect(codes).toEqual(['element_not_found', null, 'already_mounted', null, 'destroyed'])
})
