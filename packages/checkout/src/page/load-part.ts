import { CheckoutError } from './checkout-error.ts'
import type { Settings } from './options.ts'
import type { authenticate } from './threeds/authenticate.ts'
import type { wallets } from './wallets/wallets.ts'

/** What is loaded when it is called, and not before. Each is a module of its own. */
export interface Parts {
  threeds: Call<typeof authenticate>
  wallets: Call<typeof wallets>
}

/** A part as pages call it: its module is handed the core. */
type Call<Run extends (...given: never[]) => unknown> =
  Parameters<Run> extends [infer First, infer Options, unknown]
    ? (first: First, options?: Options) => ReturnType<Run>
    : never

/** A part of a shop that bundles the checkout: a module of the same bundle. */
export function part<Name extends keyof Parts>(name: Name, settings: Settings): Parts[Name]
export function part(name: keyof Parts, settings: Settings): unknown {
  return async (first: never, given = {}) => {
    const core = { settings, CheckoutError }
    // What a part is given, it checks itself.
    if (name === 'wallets') return (await import('./wallets/wallets.ts')).wallets(first, given as never, core)
    return (await import('./threeds/authenticate.ts')).authenticate(first, given, core)
  }
}
