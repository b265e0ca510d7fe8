import type { Payment, PaymentFlow } from '@tillwright/contract'

/**
 * The flow as it is for a payment: a preview spends nobody's limits and is kept by none, and whether its buyer is
 * authenticated may be for it to say.
 */
export function flowFor(preview: Payment['preview'], flow: PaymentFlow): PaymentFlow {
  if (preview === null) return flow
  const { threeds } = preview
  const threeDsEnabled = threeds === null ? flow.threeDsEnabled : threeds !== 'none'
  return { ...flow, abuseDetectionConfig: null, threeDsEnabled }
}
