import type { ThreedsProof } from '../processors/index.ts'
import type { SessionRecord } from './session-records.ts'

/** What a processor is given of an authentication, `null` where it proves nothing to the card's network. */
export function threedsProof({ authentication }: Pick<SessionRecord, 'authentication'>): ThreedsProof | null {
  if (authentication === null) return null
  const { eci, authenticationValue, dsTransactionId, threeDsVersion: version } = authentication
  if (eci === null || authenticationValue === null || dsTransactionId === null) return null
  return { eci, authenticationValue, dsTransactionId, version }
}
