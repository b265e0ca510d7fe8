import type { FrameLocator, Page } from 'playwright-core'
import type { CardElement, CardOptions } from '../src/index.ts'

declare global {
  interface Window {
    card: CardElement
    /** Messages between windows that the shop's page could read: JSON, up to 100,000 characters of each. */
    heard: string[]
    /** The names and details of the card's events, oldest first. */
    events: [name: string, detail: unknown][]
    /** The ports that this window listens to, oldest first; only with `keepPorts`. */
    ports: MessagePort[]
  }
}

/** Runs in the page before its own scripts: notes every message of windows and ports that the page can see. */
export function watchMessages(): void {
  if (window !== window.top) return
  window.heard = []
  window.events = []
  const hear = ({ data }: MessageEvent): void => void window.heard.push(JSON.stringify(data).slice(0, 100_000))
  window.addEventListener('message', hear)
  const start = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'start')
  Object.defineProperty(MessagePort.prototype, 'start', {
    value(this: MessagePort) {
      this.addEventListener('message', hear)
      start?.value.call(this)
    },
  })
}

/** Runs in every window before its own scripts: keeps the ends of channels, so that an attack can speak through them. */
export function keepPorts(): void {
  window.ports = []
  const start = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'start')
  Object.defineProperty(MessagePort.prototype, 'start', {
    value(this: MessagePort) {
      window.ports.push(this)
      start?.value.call(this)
    },
  })
}

/** Mounts a card form as a shop does and waits until it is ready. */
export async function mountCard(page: Page, options: CardOptions = {}): Promise<FrameLocator> {
  await page.evaluate(async (cardOptions) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    window.card = checkout.card(cardOptions)
    for (const name of ['ready', 'change', 'brand', 'focus', 'blur', 'submit', 'loaderror', 'error'] as const) {
      window.card.on(name, (detail?: unknown) => void window.events.push([name, detail]))
    }
    const ready = new Promise<void>((resolve) => void window.card.on('ready', resolve))
    window.card.mount('#card')
    await ready
  }, options)
  return page.frameLocator('iframe')
}

/** Fills in a card, each field at once; `edit-fields.browser.test.ts` types key by key. */
export async function typeCard(
  frame: FrameLocator,
  { number = '4242424242424242', expiry = '1230', cvc = '123' } = {},
): Promise<void> {
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill(expiry)
  await frame.getByLabel('Security code').fill(cvc)
}

/** Calls `tokenize()` in the page; a rejection comes back as its code, field and request id. */
export function tokenize(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    window.card.tokenize().catch(({ code, message, field, requestId }) => ({ code, message, field, requestId })),
  )
}
