import type { Funnel, FunnelSession, FunnelStep } from '@tillwright/contract'

/** A session's position in a funnel. */
export interface FunnelPosition {
  currentStepId: string
  /** `staging` for previews that see every step; buyers, and previews that see what buyers see, are in `production`. */
  environment: FunnelSession['environment']
  /** The steps at which something was paid. */
  paidAt: ReadonlySet<string>
}

/** The types of steps that offer something on top; what is offered instead of it follows as a downsell. */
const offers = ['offer', 'upsell', 'downsell']

/**
 * The step that follows: the next one of the funnel, but outside of `staging` none for previews alone, and no downsell where what it would
 * stand in for was bought.
 *
 * @returns `null` at the end.
 */
export function nextStep({ steps }: Pick<Funnel, 'steps'>, place: FunnelPosition): FunnelStep | null {
  const at = steps.findIndex(({ id }) => id === place.currentStepId)
  const current = steps[at]
  const isTaken = current !== undefined && offers.includes(current.type) && place.paidAt.has(current.id)
  const following = steps.slice(at + 1).filter((step) => seenBy(place, step))
  return following.find((step) => !isTaken || step.type !== 'downsell') ?? null
}

/**
 * The step that takes the place of one that the merchant has removed: the first behind the checkout once something was
 * paid, else the one that buyers begin with.
 *
 * @returns `null` where the step is still there, or none is left.
 */
export function stepInstead(funnel: Pick<Funnel, 'steps'>, place: FunnelPosition): FunnelStep | null {
  if (funnel.steps.some(({ id }) => id === place.currentStepId)) return null
  const checkout = place.paidAt.size === 0 ? undefined : funnel.steps.findLast(({ type }) => type === 'checkout')
  const behind = checkout === undefined ? null : nextStep(funnel, { ...place, currentStepId: checkout.id })
  return behind ?? firstStep(funnel)
}

/** Whether a step can be left only after a payment. */
export function mustPayFirst({ type }: Pick<FunnelStep, 'type'>, { paidAt }: Pick<FunnelPosition, 'paidAt'>): boolean {
  return type === 'checkout' && paidAt.size === 0
}

/** The step that buyers begin with: the entry, or the first one after it that they may see; `null` for none. */
export function firstStep({ steps }: Pick<Funnel, 'steps'>): FunnelStep | null {
  const entry = steps.findIndex(({ isEntry }) => isEntry)
  return steps.slice(Math.max(entry, 0)).find((step) => seenBy({ environment: 'production' }, step)) ?? null
}

/**
 * The first step for buyers who have opened the page of a step: that step, unless it comes after a checkout, which
 * cannot be skipped unpaid, or is not for buyers.
 */
export function entryStep({ steps }: Pick<Funnel, 'steps'>, stepId: string): FunnelStep | null {
  const at = steps.findIndex(({ id }) => id === stepId)
  const opened = steps[at]
  const isOpen = opened !== undefined && seenBy({ environment: 'production' }, opened)
  return isOpen && !steps.slice(0, at).some(({ type }) => type === 'checkout') ? opened : firstStep({ steps })
}

/**
 * Whether a buyer can go to a step of their own will: back, or forward again to where they have been. An offer that was
 * left is closed once something was paid at it or behind it. In `staging` every step is open.
 */
export function wayTo(
  { steps }: Pick<Funnel, 'steps'>,
  stepId: string,
  place: FunnelPosition & { furthestStepId: string },
): 'open' | 'unknown' | 'not_reached' | 'closed' {
  const at = steps.findIndex(({ id }) => id === stepId)
  const step = steps[at]
  if (step === undefined || !seenBy(place, step)) return 'unknown'
  if (place.environment === 'staging') return 'open'
  if (at > steps.findIndex(({ id }) => id === place.furthestStepId)) return 'not_reached'
  const isClosed = offers.includes(step.type) && steps.slice(at).some(({ id }) => place.paidAt.has(id))
  return isClosed ? 'closed' : 'open'
}

function seenBy({ environment }: Pick<FunnelPosition, 'environment'>, { previewOnly }: FunnelStep): boolean {
  return environment === 'staging' || !previewOnly
}
