/**
 * What every element of the checkout extends. A server has no elements and never makes one, but may import this; there any
 * class will do, whatever its type.
 */
export const BrowserElement = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement)
