import type { authenticate } from './threeds/authenticate.ts'

/** Loads 3-D Secure in a shop that bundles the checkout: a module of the same bundle. */
export function loadThreeds(_vaultOrigin: string): Promise<{ authenticate: typeof authenticate }> {
  return import('./threeds/authenticate.ts')
}
