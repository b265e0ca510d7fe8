import type { BuyerSession, SessionOrder } from '@tillwright/contract'
import type { Call } from '../call.ts'
import { findCardSummaries } from '../payments/payment-instruments.ts'
import { withNextAction } from '../payments/require-authentication.ts'
import { orderStanding, paidSteps, type BuyersSession } from './buyers-session.ts'
import { nextStep } from './next-step.ts'
import { toSessionPayment } from './session-payment.ts'

/** A session as its page is shown it, with its order. Of the customer it tells what was said in the session and no more. */
export async function sessionView(
  buyers: BuyersSession,
  order: SessionOrder,
  { parts }: Pick<Call, 'parts'>,
): Promise<BuyerSession> {
  const { session, state, payment, tokenExpiresAtMs } = buyers
  const { accountId, isPreview } = session.metadata
  return {
    sessionId: session.sessionId,
    storeId: session.storeId,
    isPreview,
    expiresAt: new Date(tokenExpiresAtMs).toISOString(),
    customer: { ...state.buyer, id: session.originalCustomerId },
    ...placeOf(buyers),
    isCompleted: state.isCompleted,
    order,
    payment: payment && toSessionPayment(withNextAction(payment, parts)),
    paymentInstruments: await findCardSummaries(goodInstruments(buyers), accountId, parts.db),
    preview: session.preview,
  }
}

/** The instruments that have paid something in the session. */
function goodInstruments(buyers: BuyersSession): string[] {
  const last = orderStanding(buyers) === 'placed' && buyers.payment !== null ? [buyers.payment.paymentInstrumentId] : []
  return [...new Set([...buyers.state.paidWithIds, ...last])]
}

type Placed = Pick<BuyerSession, 'funnel' | 'step' | 'nextStep' | 'furthestStepId'>

function placeOf(buyers: BuyersSession): Placed {
  const { session, funnel } = buyers
  if (funnel === null) return { funnel: null, step: null, nextStep: null, furthestStepId: null }
  const { currentStepId, furthestStepId, funnelVariantId: variantId } = session
  const { isPreview } = session.metadata
  const step = funnel.steps.find(({ id }) => id === currentStepId)
  const following = nextStep(funnel, { currentStepId, isPreview, paidAt: paidSteps(buyers) })
  return {
    funnel: { id: funnel.id, name: funnel.name, variantId },
    step: step === undefined ? null : shownStep(step),
    nextStep: following && { id: following.id, type: following.type, name: following.name, path: following.path },
    furthestStepId,
  }
}

function shownStep({ previewOnly: _, ...step }: NonNullable<BuyersSession['funnel']>['steps'][number]) {
  return step
}
