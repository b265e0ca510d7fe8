import { HELLO_AFTER_LOAD_MS, isHandshake } from '../../wire/handshake.ts'

/** How long a frame may take from its first request to its hello. */
export const HELLO_TIMEOUT_MS = 10_000

/** Whose hello is awaited. */
export interface ExpectedHello {
  iframe: HTMLIFrameElement
  vaultOrigin: string
  id: string
}

/**
 * Waits until the 3-D Secure frame says hello. A hello from another window, another origin or with another id is
 * ignored: anyone may post to a page.
 *
 * @returns Whether it came.
 */
export function awaitHello({ iframe, vaultOrigin, id }: ExpectedHello): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const { signal } = waiting
    let timer = setTimeout(() => end(false), HELLO_TIMEOUT_MS)
    window.addEventListener('message', hear, { signal })
    iframe.addEventListener('load', hurry, { signal })

    function hear({ source, origin, data }: MessageEvent): void {
      if (source === iframe.contentWindow && origin === vaultOrigin && isHandshake(data, 'hello', id)) end(true)
    }

    function hurry(): void {
      clearTimeout(timer)
      timer = setTimeout(() => end(false), HELLO_AFTER_LOAD_MS)
    }

    function end(isHello: boolean): void {
      clearTimeout(timer)
      waiting.abort()
      resolve(isHello)
    }
  })
}
