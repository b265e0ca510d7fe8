import { isObject } from './guards.ts'

/**
 * What a notification page of the vault tells the frame around it: the bank has sent the browser back. It is a hint and
 * never a result; what came out, the vault is asked. The page's `id`, the transaction's, says nothing that the iframe
 * which it comes from does not say already.
 */
export interface ThreedsNotice {
  tillwright: 'threeds'
  step: 'method' | 'challenge'
}

/** Whether a window message is the notice of this step. The caller checks its origin and source. */
export function isThreedsNotice(data: unknown, step: ThreedsNotice['step']): data is ThreedsNotice {
  return isObject(data) && data.tillwright === 'threeds' && data.step === step
}
