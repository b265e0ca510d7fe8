import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackStage, setAttackStage } from '../attack-stage.ts'

declare global {
  interface Window {
    /** The senders whose ports the card frame has answered, in that order. */
    answered?: string[]
  }
}

let stage: AttackStage
beforeAll(async () => {
  stage = await setAttackStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const checksOrigin = { file: 'frame/page-port.ts', code: 'event.origin === origin', instead: 'true' }
const checksSource = { file: 'frame/page-port.ts', code: 'event.source === frame.parent', instead: 'true' }
const checksId = { file: 'wire/handshake.ts', code: 'data.id === id', instead: 'true' }
const checksVersion = { file: 'wire/handshake.ts', code: 'data.v === WIRE_VERSION', instead: 'true' }
const targetsExactly = {
  file: 'frame/page-port.ts',
  code: 'postMessage(hello, origin)',
  instead: "postMessage(hello, '*')",
}
const step = { tillwright: 'port', v: 1, id: 'right' }

test.each([
  ['with a guessed id', { ...step, id: 'left' }, checksId],
  ['without an id', { tillwright: 'port', v: 1 }, checksId],
  ['of an unknown version', { ...step, v: 2 }, checksVersion],
])('a port %s is not taken, though it comes from the page', async (_, forged, defence) => {
  const race = async (page: Page): Promise<unknown> => {
    await embed(page.mainFrame(), stage.shopUrl)
    await offerPort(page.mainFrame(), forged, 'forged')
    await offerPort(page.mainFrame(), step, 'right')
    return firstAnswered(page)
  }
  expect(await race(await stage.open())).toBe('right')
  expect(await race(await stage.openWithout(defence))).toBe('forged')
})

test("a port from another frame of the shop's own origin is not taken", async () => {
  const race = async (page: Page): Promise<unknown> => {
    await embed(page.mainFrame(), stage.shopUrl)
    await offerPort(await addFrame(page.mainFrame(), `${stage.shopUrl}/other`), step, 'forged')
    await offerPort(page.mainFrame(), step, 'right')
    return firstAnswered(page)
  }
  expect(await race(await stage.open())).toBe('right')
  expect(await race(await stage.openWithout(checksSource))).toBe('forged')
})

test('a port that is offered again replaces none, and the frame listens to its window no more', async () => {
  const page = await stage.open()
  const card = await embed(page.mainFrame(), stage.shopUrl)
  await offerPort(page.mainFrame(), step, 'right')
  expect(await firstAnswered(page)).toBe('right')
  await offerPort(page.mainFrame(), step, 'second')
  expect(await card.evaluate(() => window.ports.length)).toBe(1)
  expect(await messageListeners(page, card)).toBe(0)
  expect(await page.evaluate(() => window.answered)).not.toContain('second')

  const stops = { file: 'frame/page-port.ts', code: "frame.removeEventListener('message', receive)", instead: '' }
  const careless = await stage.openWithout(stops)
  const open = await embed(careless.mainFrame(), stage.shopUrl)
  await offerPort(careless.mainFrame(), step, 'right')
  expect(await firstAnswered(careless)).toBe('right')
  expect(await messageListeners(careless, open)).toBe(1)
})

test("a page whose origin the key does not list can neither frame the form nor pass for the shop's", async () => {
  const page = await stage.open()
  await page.goto(stage.evilUrl)
  for (const origin of [stage.shopUrl, stage.evilUrl]) {
    const card = await embed(page.mainFrame(), origin)
    expect(card.url()).toBe('chrome-error://chromewebdata/')
  }
  const complaints = stage.takeComplaints()
  expect(complaints.filter((text) => text.includes('frame-ancestors')).length).toBeGreaterThan(0)
  expect(complaints.every((text) => /frame-ancestors|403/.test(text))).toBe(true)

  // With the origin on its list the key would have let it in.
  stage.vault.allowedOrigins = [stage.shopUrl, stage.evilUrl]
  const card = await embed(page.mainFrame(), stage.evilUrl)
  await offerPort(page.mainFrame(), step, 'evil')
  expect(await firstAnswered(page)).toBe('evil')
  expect(await card.evaluate(() => document.querySelector('form')?.hidden)).toBe(false)
})

test('a page between the shop and the form cannot frame it either', async () => {
  const page = await stage.open()
  const between = await addFrame(page.mainFrame(), stage.evilUrl)
  const card = await embed(between, stage.shopUrl)
  expect(card.url()).toBe('chrome-error://chromewebdata/')
  expect(stage.takeComplaints().join()).toContain('frame-ancestors')
})

test('framed by another origin, with nothing but the handshake to refuse it, the form stays mute and hidden', async () => {
  const offer = async (page: Page): Promise<Frame> => {
    await page.goto(stage.evilUrl)
    const card = await embed(page.mainFrame(), stage.shopUrl)
    await offerPort(page.mainFrame(), step, 'evil')
    return card
  }
  stage.vault.allowedOrigins = [stage.shopUrl, stage.evilUrl]
  const page = await stage.open()
  const card = await offer(page)
  expect(await isHidden(card)).toBe(true)
  expect(await page.evaluate(() => [window.heard, window.answered])).toEqual([[], undefined])

  const open = await stage.openWithout(checksOrigin, targetsExactly)
  await offer(open)
  expect(await firstAnswered(open)).toBe('evil')
  expect(await open.evaluate(() => window.heard.join())).toContain('hello')
})

test.each(['sandboxed', 'data:'] as const)('a %s page, whose origin is null, cannot frame the form', async (kind) => {
  const page = await stage.open()
  const nobody = await addNobody(page, kind)
  const card = await embed(nobody, stage.shopUrl)
  expect(card.url()).toBe('chrome-error://chromewebdata/')
  expect(stage.takeComplaints().join()).toContain('frame-ancestors')
})

test('framed by a page without an origin, with nothing but the handshake to refuse it, the form stays mute', async () => {
  const offer = async (page: Page): Promise<readonly [parent: Frame, card: Frame]> => {
    const nobody = await addNobody(page, 'sandboxed')
    const card = await embed(nobody, stage.shopUrl)
    await offerPort(nobody, step, 'nobody')
    return [nobody, card]
  }
  const page = await stage.open()
  await liftFrameAncestors(page)
  const [nobody, card] = await offer(page)
  expect(await isHidden(card)).toBe(true)
  expect(await nobody.evaluate(() => window.answered)).toBeUndefined()

  const [somebody] = await offer(await stage.openWithout(checksOrigin))
  await somebody.waitForFunction(() => window.answered?.includes('nobody'))
})

test.each(['sandboxed', 'data:'] as const)('in a %s page init() refuses to start', async (kind) => {
  const page = await stage.open()
  const nobody = await addNobody(page, kind)
  const code = await nobody.evaluate(async (vaultUrl) => {
    const script = document.createElement('script')
    script.src = `${vaultUrl}/v1/tillwright.js`
    const loaded = new Promise((resolve) => script.addEventListener('load', resolve))
    document.body.append(script)
    await loaded
    return window.Tillwright.init({ publishableKey: 'test_pk_shop' }).then(
      () => 'started',
      (error) => error.code,
    )
  }, stage.vault.url)
  expect(code).toBe('page_insecure')
})

/** Puts a card frame into a window by hand, as an attacker does, and waits until it has loaded, or was refused. */
async function embed(parent: Frame, origin: string): Promise<Frame> {
  const query = new URLSearchParams({ key: 'test_pk_shop', origin, id: 'right' })
  return addFrame(parent, `${stage.vault.url}/v1/card?${query}`)
}

async function addFrame(parent: Frame, url: string, sandbox?: string): Promise<Frame> {
  const handle = await parent.evaluateHandle(
    async ([src, limits]) => {
      const iframe = document.createElement('iframe')
      if (limits !== undefined) iframe.setAttribute('sandbox', limits)
      iframe.src = src
      const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve))
      document.body.append(iframe)
      await loaded
      return iframe
    },
    [url, sandbox] as const,
  )
  const frame = await handle.asElement()?.contentFrame()
  if (!frame) throw new Error(`No frame for ${url}`)
  return frame
}

/** A frame without an origin in the shop's page. */
function addNobody(page: Page, kind: 'sandboxed' | 'data:'): Promise<Frame> {
  return kind === 'sandboxed'
    ? addFrame(page.mainFrame(), `${stage.shopUrl}/nobody`, 'allow-scripts')
    : addFrame(page.mainFrame(), 'data:text/html,<!doctype html><title>Nobody</title>')
}

/** Posts a port to the last card frame of a window, or of its parent, and a configuration through the port. */
async function offerPort(from: Frame, message: unknown, name: string): Promise<void> {
  await from.evaluate(
    ([data, whose]) => {
      const home = window.length === 0 ? parent : window
      const frames = [...home.document.querySelectorAll('iframe')].filter(({ src }) => src.includes('/v1/card?'))
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => void (home.answered ??= []).push(whose))
      port1.start()
      frames.at(-1)?.contentWindow?.postMessage(data, '*', [port2])
      port1.postMessage({ type: 'configure', appearance: {}, locale: 'en' })
    },
    [message, name] as const,
  )
}

async function firstAnswered(page: Page): Promise<unknown> {
  return (await page.waitForFunction(() => window.answered?.[0])).jsonValue()
}

/** Whether the form is hidden once the frame has dealt with what was sent to it before. */
function isHidden(card: Frame): Promise<unknown> {
  return card.evaluate(
    () => new Promise((resolve) => setTimeout(() => resolve(document.querySelector('form')?.hidden))),
  )
}

/** How many of its own functions listen to messages of a frame's window. */
async function messageListeners(page: Page, card: Frame): Promise<number> {
  const cdp = await page.context().newCDPSession(page)
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const frameId = frameTree.childFrames?.find(({ frame }) => frame.url === card.url())?.frame.id
  // Listeners are told of one world at a time, so the window has to be that of the frame's own scripts.
  const world = new Promise<number>((resolve) =>
    cdp.on('Runtime.executionContextCreated', ({ context: { id, auxData } }) => {
      if (auxData?.['frameId'] === frameId && auxData?.['isDefault']) resolve(id)
    }),
  )
  await cdp.send('Runtime.enable')
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'window', contextId: await world })
  const { listeners } = await cdp.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
  return listeners.filter(({ type }) => type === 'message').length
}

/** Takes the policy away that keeps strangers from framing the form. */
async function liftFrameAncestors(page: Page): Promise<void> {
  await page.route('**/v1/card?*', async (route) => {
    const response = await route.fetch()
    const policy = response.headers()['content-security-policy'] ?? ''
    const lifted = policy.replace(/frame-ancestors [^;]+;/, '')
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': lifted } })
  })
}
