import { HELLO_AFTER_LOAD_MS, isHandshake, WIRE_VERSION, type Handshake } from '../wire/handshake.ts'
import { toPage, type ToFrame } from '../wire/messages.ts'
import { parseMessage } from '../wire/parse-message.ts'
import { CheckoutError } from './checkout-error.ts'
import { createIframe } from './create-iframe.ts'
import { obeyFrame, type MessageToCard } from './obey-frame.ts'
import type { Settings } from './read-options.ts'

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

/** Who hears from the frame. */
export interface FrameListener {
  onMessage(message: MessageToCard): void
  /** The form did not get ready (`loaderror`), or its document was replaced later (`error`); it is closed already. */
  onFailure(event: 'loaderror' | 'error', error: CheckoutError): void
}

/**
 * Puts a card frame into an element and, once the frame has said hello, gives it its end of the message channel. When
 * what has loaded says nothing, it is loaded once more: an answer of 500 or an error page of the browser may be a matter
 * of a moment.
 */
export function openFrame(parent: Element, settings: Settings, listener: FrameListener): OpenFrame {
  const { publishableKey, vaultOrigin } = settings
  const iframe = createIframe(settings)
  const { port1, port2 } = new MessageChannel()
  const deadline = setTimeout(fail, READY_TIMEOUT_MS)
  let silence: ReturnType<typeof setTimeout>
  let id = ''
  let triesLeft = 2
  let isLoaded = false
  let isGreeted = false
  let isReady = false

  port1.addEventListener('message', receive)
  port1.start()
  window.addEventListener('message', hear)
  iframe.addEventListener('load', notice)
  load()
  return { iframe, post: (message) => port1.postMessage(message), close }

  /** Takes the frame out first: one that is led elsewhere in its place adds an entry to the page's history. */
  function load(): void {
    iframe.remove()
    triesLeft -= 1
    isLoaded = false
    id = crypto.randomUUID()
    iframe.src = `${vaultOrigin}/v1/card?${new URLSearchParams({ key: publishableKey, origin: location.origin, id })}`
    parent.append(iframe)
  }

  function notice(): void {
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
    window.removeEventListener('message', hear)
    const answer: Handshake = { tillwright: 'port', v: WIRE_VERSION, id }
    iframe.contentWindow?.postMessage(answer, vaultOrigin, [port2])
  }

  function receive({ data }: MessageEvent): void {
    const parsed = parseMessage(toPage, data)
    const message = parsed && obeyFrame(iframe, parsed)
    if (!message) return
    if (message.type === 'ready') {
      isReady = true
      clearTimeout(deadline)
    }
    listener.onMessage(message)
  }

  function close(): void {
    clearTimeout(silence)
    clearTimeout(deadline)
    window.removeEventListener('message', hear)
    port1.close()
    iframe.remove()
  }

  function fail(): void {
    close()
    listener.onFailure(isReady ? 'error' : 'loaderror', new CheckoutError('frame_unavailable', REASONS))
  }
}

const REASONS =
  "The card form did not load or stay: check the network, frame-src in the page's CSP, and the key's origins."
