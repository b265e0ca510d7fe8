import { isThreedsNotice, type ThreedsNotice } from '../wire/threeds-notice.ts'

/**
 * Waits until the vault's notification page has loaded in an iframe. Notices of the bank, of the shop's page and of
 * anybody else are ignored, and so is one from another iframe of ours.
 */
export function awaitNotice(iframe: HTMLIFrameElement, step: ThreedsNotice['step']): Promise<void> {
  return new Promise((resolve) => {
    // Never taken off: the window is this one authentication's and goes with it.
    addEventListener('message', ({ source, origin, data }) => {
      if (source === iframe.contentWindow && origin === location.origin && isThreedsNotice(data, step)) resolve()
    })
  })
}
