import type { Surroundings } from '../page/surroundings.ts'

/** What the page's address has brought; empty where it has brought nothing. */
export interface Handed {
  /** A code that opens a session once. */
  code: string
  /** The step that the buyer wants to see, coming back to an origin whose session has gone on to this one. */
  stepId: string
}

/**
 * Takes what hands a session over out of the page's address: a fragment is sent to no server, and stands in no log.
 * Anything else of that name goes as well: a token in an address opens nothing.
 */
export function takeHanded({ location, history }: Pick<Surroundings, 'location' | 'history'>): Handed {
  const { href } = location
  const valueOf = (name: string): string => RegExp(`#(?:.*&)?tillwright-${name}=([^&]+)`).exec(href)?.[1] ?? ''
  const clean = href.replace(/tillwright-\w+=[^&]*&?/g, '').replace(/[#&]$/, '')
  if (clean !== href) history.replaceState(history.state, '', clean)
  return { code: valueOf('code'), stepId: valueOf('step') }
}
