import type { methods } from './methods/methods.ts'
import type { PartCore } from './part-core.ts'
import type { authenticate } from './threeds/authenticate.ts'
import type { wallets } from './wallets/wallets.ts'

/** Functions whose code is loaded at their first call. Each is a module of its own. */
export interface Parts {
  threeds: Call<typeof authenticate>
  wallets: Call<typeof wallets>
  methods: Call<typeof methods>
}

/** A part as pages call it: its module is handed the core. */
type Call<Run extends (...given: never[]) => unknown> =
  Parameters<Run> extends [infer First, infer Options, unknown]
    ? (first: First, options?: Options) => ReturnType<Run>
    : never

/** A part of a shop that bundles the checkout: a module of the same bundle. */
export function part<Name extends keyof Parts>(name: Name, core: PartCore): Parts[Name]
export function part(name: keyof Parts, core: PartCore): unknown {
  return async (first: never, given = {}) => {
    // Each part validates its own options.
    if (name === 'wallets') return (await import('./wallets/wallets.ts')).wallets(first, given as never, core)
    if (name === 'methods') return (await import('./methods/methods.ts')).methods(first, given as never, core)
    return (await import('./threeds/authenticate.ts')).authenticate(first, given, core)
  }
}
