import {
  type Handshake,
  HELLO_AFTER_LOAD_MS,
  isHandshake,
  parseMessage,
  PING_EVERY_MS,
  type ToFrame,
  toPage,
  type ToPage,
  UNANSWERED_MAX,
  WIRE_VERSION,
} from '../wire/index.ts'
import { CheckoutError } from './checkout-error.ts'
import { frameUrl } from './frame-url.ts'
import type { Settings } from './options.ts'
import { warnShop } from './warn-shop.ts'

/** How long the form may take to get ready, both tries together: the shop hears of a failure within 15 seconds. */
export const READY_TIMEOUT_MS = 14_000

/** A card frame in the page. */
export interface OpenFrame {
  iframe: HTMLIFrameElement
  /** Sends a message; before the frame has answered, the port keeps it. */
  post(message: ToFrame): void
  /** Takes the frame out of the page, and with it all that was typed. */
  close(): void
}

/** Callbacks of the frame. */
export interface FrameListener {
  onMessage(message: MessageToCard): void
  /** The form did not get ready (`loaderror`), or went away later (`error`); it is closed already. */
  onFailure(event: 'loaderror' | 'error', error: CheckoutError): void
}

/**
 * Puts a card frame into an element and, once the frame has said hello, gives it its end of the message channel.
 * Without a hello it is loaded once more: an answer of 500 or an error page of the browser may be temporary.
 */
export function openFrame(parent: Element, settings: Settings, listener: FrameListener): OpenFrame {
  const { vaultOrigin } = settings
  const iframe = createIframe(settings)
  const { port1, port2 } = new MessageChannel()
  const watch = watchForm(port1, fail)
  let silence: ReturnType<typeof setTimeout>
  let id = ''
  let triesLeft = 2
  let isLoaded = false
  let isGreeted = false
  let isReady = false

  port1.addEventListener('message', receive)
  port1.start()
  addEventListener('message', hear)
  iframe.addEventListener('load', onLoad)
  load()
  return { iframe, post: (message) => port1.postMessage(message), close }

  /** Takes the frame out first: one that is led elsewhere in its place adds an entry to the page's history. */
  function load(): void {
    iframe.remove()
    triesLeft -= 1
    isLoaded = false
    id = crypto.randomUUID()
    iframe.src = frameUrl('card', settings, { id })
    parent.append(iframe)
  }

  function onLoad(): void {
    // A second document in the place of the form means that the typed card, and its port, are gone.
    if (isLoaded) return fail()
    isLoaded = true
    if (!isGreeted) silence = setTimeout(triesLeft ? load : fail, HELLO_AFTER_LOAD_MS)
  }

  /** A hello from another window, another origin or with another id is ignored: anyone may post to a page. */
  function hear({ source, origin, data }: MessageEvent): void {
    if (source !== iframe.contentWindow || origin !== vaultOrigin || !isHandshake(data, 'hello', id)) return
    isGreeted = true
    clearTimeout(silence)
    removeEventListener('message', hear)
    const answer: Handshake = { tillwright: 'port', v: WIRE_VERSION, id }
    iframe.contentWindow?.postMessage(answer, vaultOrigin, [port2])
  }

  function receive({ data }: MessageEvent): void {
    const parsed = parseMessage(toPage, data)
    if (!parsed) return
    watch.hear(parsed)
    const message = handleFrameMessage(iframe, parsed)
    if (!message) return
    isReady ||= message.type === 'ready'
    listener.onMessage(message)
  }

  function close(): void {
    clearTimeout(silence)
    watch.end()
    removeEventListener('message', hear)
    port1.close()
    iframe.remove()
  }

  function fail(): void {
    close()
    listener.onFailure(isReady ? 'error' : 'loaderror', new CheckoutError('frame_unavailable', NOT_THERE))
  }
}

/**
 * Waits until the form is ready, and then asks it again and again whether it is still there: that its process has died, or
 * that the page has thrown it away, is no event.
 */
function watchForm(port: MessagePort, fail: () => void): { hear(message: ToPage): void; end(): void } {
  let timer = setTimeout(expire, READY_TIMEOUT_MS)
  let unanswered = -Infinity // a form of an earlier release never answers
  const end = (): void => clearTimeout(timer) // which ends an interval, too
  return {
    hear({ type }) {
      if (type === 'ping') unanswered = 0
      if (type !== 'ready') return
      end()
      timer = setInterval(ask, PING_EVERY_MS)
    },
    end,
  }

  /** A page that is prepared in case its buyer goes there is given no frame of another origin until they do. */
  function expire(): void {
    if (document.prerendering) timer = setTimeout(expire, READY_TIMEOUT_MS)
    else fail()
  }

  function ask(): void {
    unanswered += 1
    if (unanswered > UNANSWERED_MAX) fail()
    else port.postMessage({ type: 'ping' } satisfies ToFrame)
  }
}

const NOT_THERE = "The card form did not load or stay: see the network, frame-src and the key's origins."

// Not in TypeScript's library, since only Chromium has them.
declare global {
  interface Document {
    featurePolicy?: { features(): string[] }
    prerendering?: boolean
  }
}

/**
 * A frame for the card form, not in the page yet. Until `showFrame()` it shows a placeholder as high as the form will
 * be; its content is not visible, not even an error page of the browser.
 */
function createIframe({ options }: Settings): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  iframe.title = 'Card details'
  // Scripts and the form's submit event are all that the frame needs; it keeps its own origin, which is never the
  // page's (readVaultOrigin), so it cannot lift the sandbox. Popups, dialogs and moving the page stay impossible.
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  // Browsers that do not know the feature would warn about it.
  if (document.featurePolicy?.features().includes('autofill')) iframe.allow = 'autofill'
  // Two rows of fields, each with its label above it. A grey that lets through what is below it fits any ground.
  const heightPx = options.appearance.theme === 'minimal' ? 134 : 154
  iframe.style.cssText = `display:block;width:100%;border:0;height:0;padding:${heightPx}px 0 0;background:repeating-linear-gradient(#0000 0 24px,#8883 0 70px,#0000 0 84px)`
  return iframe
}

/** Shows what the frame holds at its height. */
function showFrame({ style }: HTMLIFrameElement, heightPx: number): void {
  style.padding = style.background = ''
  style.height = `${heightPx}px`
}

/** The messages about the card; the others are about the frame's element and the shop's options. */
export type MessageToCard = Exclude<ToPage, { type: 'resize' | 'title' | 'dropped' | 'take' | 'ping' }>

/** Handles messages about the frame's element and the shop's options. @returns Any other message. */
function handleFrameMessage(iframe: HTMLIFrameElement, message: ToPage): MessageToCard | null {
  if (message.type === 'resize') showFrame(iframe, message.height)
  else if (message.type === 'take') iframe.focus()
  else if (message.type === 'title') iframe.title = message.title
  else if (message.type === 'dropped') warnShop(`${message.variable} is left out: ${message.rule}`)
  else if (message.type !== 'ping') return message
  return null
}
