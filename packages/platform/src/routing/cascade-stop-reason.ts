import type { AttemptOutcomeName, PaymentFlow, RoutingStop } from '@tillwright/contract'

/** What a flow says of further attempts. */
export type RetryRules = Pick<PaymentFlow, 'strategy' | 'fallbackMode' | 'maxFallbackRetries'>

/**
 * Why a payment whose attempt has come to this must not be tried at another processor; `null` when it may be. It may after
 * a soft decline, and where the attempt never began. Never when an issuer has said that nobody will get another answer, or
 * when it asks for the buyer.
 *
 * @param attempts How many there were, this one included.
 */
export function whyStop(
  outcome: Exclude<AttemptOutcomeName, 'succeeded' | 'authorized' | 'unknown'>,
  attempts: number,
  flow: RetryRules,
): RoutingStop | null {
  switch (outcome) {
    case 'hard_decline':
    case 'authentication_required':
      return outcome
    case 'soft_decline':
    case 'technical_failure':
      if (flow.strategy === 'simple') return 'single_processor'
      if (!flow.fallbackMode) return 'fallback_off'
      return attempts > flow.maxFallbackRetries ? 'retries_used_up' : null
  }
}
