import { isHandshake } from '../wire/handshake.ts'
import { CheckoutError } from './checkout-error.ts'

/** How long a frame may take from its first request to its hello. */
export const HELLO_TIMEOUT_MS = 10_000

/** How long a hello may come after the frame's `load`: both are on their way at once, on different roads. */
export const HELLO_AFTER_LOAD_MS = 2_000

/** Whose hello is awaited. */
export interface ExpectedHello {
  iframe: HTMLIFrameElement
  vaultOrigin: string
  id: string
}

/**
 * Waits until the frame says hello. A hello from another window, another origin or with another id is ignored: anyone
 * may post to a page.
 *
 * @param waiting Aborted by either outcome; abort it to end the waiting without one.
 * @throws CheckoutError `frame_unavailable` when the frame loads without a hello, or not at all.
 */
export function awaitHello({ iframe, vaultOrigin, id }: ExpectedHello, waiting: AbortController): Promise<void> {
  return new Promise((resolve, reject) => {
    const { signal } = waiting
    let timer = setTimeout(giveUp, HELLO_TIMEOUT_MS)
    signal.addEventListener('abort', () => clearTimeout(timer))
    window.addEventListener('message', hear, { signal })
    iframe.addEventListener('load', hurry, { signal })

    function hear({ source, origin, data }: MessageEvent): void {
      if (source !== iframe.contentWindow || origin !== vaultOrigin || !isHandshake(data, 'hello', id)) return
      waiting.abort()
      resolve()
    }

    function hurry(): void {
      clearTimeout(timer)
      timer = setTimeout(giveUp, HELLO_AFTER_LOAD_MS)
    }

    function giveUp(): void {
      waiting.abort()
      reject(new CheckoutError('frame_unavailable', REASONS))
    }
  })
}

const REASONS =
  "The card form did not load: the vault is down, the page's CSP lacks it in frame-src, or the key does not list this origin."
