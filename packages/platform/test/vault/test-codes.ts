import type { Services } from '../../src/request-context.ts'
import { secretBox } from '../../src/runtime/secret-box.ts'
import { CodeKeys } from '../../src/vault/code-keys.ts'
import { type SecurityCodes, securityCodes } from '../../src/vault/sealed-codes.ts'

/** The security codes of a process of its own, which shares no card key with any other. */
export function testCodes(services: Services): SecurityCodes {
  const cardKeys = secretBox(new Uint8Array(32).fill(5), services.randomness)
  return securityCodes(services, new CodeKeys({ ...services, cardKeys }))
}
