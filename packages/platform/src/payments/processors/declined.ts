import { declineKinds, type DeclineCode } from './decline-codes.ts'
import type { Declined } from './driver.ts'

/**
 * Merchant advice codes that forbid another try whatever the reason says. Source: Mastercard, Transaction Processing
 * Excellence: 03 do not try again, 21 the recurring payment was cancelled.
 */
const FORBIDDING_ADVICE: ReadonlySet<string> = new Set(['03', '21'])

/** A decline for a reason, with the network's advice where there is one. */
export function declined(
  declineCode: DeclineCode,
  { reference, advice = null }: { reference: string | null; advice?: string | null },
): Declined {
  const isFinal = advice !== null && FORBIDDING_ADVICE.has(advice)
  return { outcome: 'declined', declineCode, kind: isFinal ? 'hard' : declineKinds[declineCode], advice, reference }
}
