import type { PaymentAttempt } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'
import type { Charging } from './charging.ts'
import { nextAttempt, type NextAttempt } from './next-attempt.ts'
import type { Route } from './route.ts'

/**
 * The first attempt of a payment, or why the card must not be tried.
 *
 * @throws {ApiError} `no_eligible_processor`.
 */
export async function firstAttempt(
  route: Route,
  call: Pick<Call, 'nowMs' | 'newId'>,
  charging: Pick<Charging, 'parts' | 'circuit' | 'hasDriver'>,
): Promise<NextAttempt> {
  const next = await nextAttempt({ route, tried: [] }, call, charging)
  if ('dropped' in next) throw noEligible(route.flow.id, next.dropped)
  return next
}

function noEligible(flowId: string, dropped: PaymentAttempt['decision']['dropped']): ApiError {
  const reasons = [...new Set(dropped.map(({ reason }) => reason))].join(', ')
  return new ApiError(
    'no_eligible_processor',
    `No processor of the flow '${flowId}' can take this payment (${reasons}); enable or add one.`,
  )
}
