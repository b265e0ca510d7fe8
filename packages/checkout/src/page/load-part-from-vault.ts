import { CheckoutError } from './checkout-error.ts'
import type { Parts } from './load-part.ts'
import type { PartCore } from './part-core.ts'

/** The one function that a part's module exports. */
type LoadedPart = (...call: unknown[]) => unknown

/** A browser keeps the failure of a module for its address: after each, the address is another. */
let again = ''

/**
 * A part for a script tag: it comes from where the tag came from, which the page's CSP lists already.
 *
 * @throws CheckoutError `network_failed`.
 */
export function part<Name extends keyof Parts>(name: Name, core: PartCore): Parts[Name]
export function part(name: string, core: PartCore): unknown {
  return async (first: unknown, given = {}) => {
    // Each module has one export, its part.
    const loading: Promise<Record<string, LoadedPart>> = import(`${core.settings.vaultOrigin}/v1/${name}.js${again}`)
    const loaded = await loading.catch(() => {
      again += '?'
      throw new CheckoutError('network_failed', `${name}.js did not load.`)
    })
    return (Object.values(loaded) as [LoadedPart])[0](first, given, core)
  }
}
