import type { authenticate } from './threeds/authenticate.ts'

/** Loads 3-D Secure in a shop that bundles the checkout: it lies beside the core, wherever the vault is. */
export function loadThreeds(_vaultOrigin: string): Promise<{ authenticate: typeof authenticate }> {
  return import('./threeds/authenticate.ts')
}
