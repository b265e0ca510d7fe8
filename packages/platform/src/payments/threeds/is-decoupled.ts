import type { ThreedsAuthentication } from '@tillwright/contract'

/**
 * Whether the bank asks the buyer elsewhere, such as in its app, with no page of its own in the browser. What it decides
 * comes as the result of a challenge does. Source: EMV 3DS 2.2.0, decoupled authentication.
 */
export function isDecoupled({ status, transStatus }: Pick<ThreedsAuthentication, 'status' | 'transStatus'>): boolean {
  return status === 'authenticating' && transStatus === 'D'
}
