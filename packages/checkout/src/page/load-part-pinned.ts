import { CheckoutError } from './checkout-error.ts'
import type { Parts } from './load-part.ts'
import type { PartCore } from './part-core.ts'
import { authenticate } from './threeds/authenticate.ts'

/**
 * A part for a pinned script tag, which loads nothing that its page has not pinned: 3-D Secure is in it, and wallets and
 * the methods are in scripts that the page pins, too.
 *
 * @throws CheckoutError `argument_invalid` without that script.
 */
export function part<Name extends keyof Parts>(name: Name, core: PartCore): Parts[Name]
export function part(name: keyof Parts, core: PartCore): unknown {
  return async (first: never, given = {}) => {
    const run = name === 'threeds' ? authenticate : window.Tillwright[name]
    if (!run) throw new CheckoutError('argument_invalid', `Pin ${name}.js, too.`)
    // Each part validates its own options.
    return run(first, given as never, core)
  }
}
