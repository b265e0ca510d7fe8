import { WIRE_VERSION, type Handshake } from '../wire/handshake.ts'
import { toPage, type ToFrame, type ToPage } from '../wire/messages.ts'
import { parseMessage } from '../wire/parse-message.ts'
import { awaitHello } from './await-hello.ts'
import { CheckoutError } from './checkout-error.ts'
import type { Settings } from './read-options.ts'

/** The height of the form before it has told its own, so that the page hardly moves: two rows of fields. */
export const INITIAL_HEIGHT_PX = 154

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
  onMessage(message: ToPage): void
  /** The frame did not load or was replaced; it is closed already. */
  onFailure(error: CheckoutError): void
}

/** Puts a card frame into an element and, once the frame has said hello, gives it its end of the message channel. */
export function openFrame(parent: Element, settings: Settings, listener: FrameListener): OpenFrame {
  const { vaultOrigin } = settings
  const id = crypto.randomUUID()
  const iframe = createIframe(settings, id)
  const { port1, port2 } = new MessageChannel()
  const waiting = new AbortController()
  const close = (): void => {
    waiting.abort()
    port1.close()
    iframe.remove()
  }
  const fail = (error: CheckoutError): void => {
    close()
    listener.onFailure(error)
  }
  port1.addEventListener('message', ({ data }) => {
    const message = parseMessage(toPage, data)
    if (message) listener.onMessage(message)
  })
  port1.start()
  const greet = (): void => {
    const answer: Handshake = { tillwright: 'port', v: WIRE_VERSION, id }
    iframe.contentWindow?.postMessage(answer, vaultOrigin, [port2])
  }
  awaitHello({ iframe, vaultOrigin, id }, waiting).then(greet, fail)
  failOnReload(iframe, fail)
  parent.append(iframe)
  return { iframe, post: (message) => port1.postMessage(message), close }
}

function createIframe({ publishableKey, vaultOrigin }: Settings, id: string): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  const query = new URLSearchParams({ key: publishableKey, origin: location.origin, id })
  iframe.src = `${vaultOrigin}/v1/card?${query}`
  iframe.title = 'Card details'
  // Scripts and the form's submit event are all that the frame needs; it keeps its own origin, which is never the
  // page's (readVaultOrigin), so it cannot lift the sandbox. Popups, dialogs and moving the page stay impossible.
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  iframe.style.cssText = `display:block;width:100%;border:0;height:${INITIAL_HEIGHT_PX}px`
  return iframe
}

/** A second `load` means that the document with the typed card, and its port, are gone. */
function failOnReload(iframe: HTMLIFrameElement, fail: (error: CheckoutError) => void): void {
  let isLoaded = false
  iframe.addEventListener('load', () => {
    if (isLoaded) fail(new CheckoutError('frame_unavailable', 'The card form was reloaded; mount it again.'))
    isLoaded = true
  })
}
