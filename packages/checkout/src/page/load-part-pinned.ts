import { CheckoutError } from './checkout-error.ts'
import type { Parts } from './load-part.ts'
import type { Settings } from './options.ts'
import { authenticate } from './threeds/authenticate.ts'

/**
 * A part for a pinned script tag, which loads nothing that its page has not pinned: 3-D Secure is in it, and wallets are in
 * a script that the page pins, too.
 *
 * @throws CheckoutError `argument_invalid` without that script.
 */
export function part<Name extends keyof Parts>(name: Name, settings: Settings): Parts[Name]
export function part(name: keyof Parts, settings: Settings): unknown {
  return async (first: never, given = {}) => {
    const run = name === 'threeds' ? authenticate : window.Tillwright.wallets
    if (!run) throw new CheckoutError('argument_invalid', 'Pin wallets.js, too.')
    // What a part is given, it checks itself.
    return run(first, given as never, { settings, CheckoutError })
  }
}
