import type { Candidate, Cart } from './candidate.ts'
import { checkActions } from './check-actions.ts'
import { checkRules } from './check-rules.ts'
import type { Clause } from './clause.ts'
import type { Effects } from './effects.ts'

/**
 * Why a promotion does not apply to an order, whatever else does; `null` when it may. That it is used up is looked at
 * last: who is told so would have had it.
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function whyNot(effects: Effects, cart: Cart, nowMs: number): Clause | null {
  const { candidate } = effects
  return (
    checkTime(candidate, nowMs) ??
    checkRules(candidate.promotion, cart) ??
    checkActions(effects, cart) ??
    checkUsage(candidate)
  )
}

function checkTime({ promotion }: Candidate, nowMs: number): Clause | null {
  const { enabled, startDate, endDate } = promotion
  if (!enabled) return { clause: 'disabled', field: 'enabled', message: 'It is disabled.' }
  if (startDate !== null && nowMs < Date.parse(startDate)) {
    return { clause: 'not_started', field: 'startDate', message: `It starts at ${startDate}.` }
  }
  if (endDate !== null && nowMs >= Date.parse(endDate)) {
    return { clause: 'ended', field: 'endDate', message: `It ended at ${endDate}.` }
  }
  return null
}

function checkUsage({ promotion, usesLeft }: Candidate): Clause | null {
  if (usesLeft === null || usesLeft > 0) return null
  const message = `All of the ${promotion.usageLimit} orders that may use it have done so, or are being paid.`
  return { clause: 'usage_limit', field: 'usageLimit', message }
}
