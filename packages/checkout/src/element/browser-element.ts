/**
 * Base class of the checkout's elements. A server has no elements and never creates one, but may import this; there any
 * class will do, whatever its type.
 */
export const BrowserElement = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement)
