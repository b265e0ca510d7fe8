/** An element whose listeners know what its events bring, by their names. */
interface Telling<Events> {
  addEventListener<Name extends keyof Events & string>(
    name: Name,
    listener: (event: Events[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
}

/**
 * Base class of the checkout's elements. A server has no elements and never creates one, but may import this; there any
 * class will do, whatever its type. That of the events is for TypeScript alone.
 */
export const BrowserElement = (globalThis.HTMLElement ?? Object) as typeof HTMLElement &
  (new <Events>() => Telling<Events> & HTMLElement)
