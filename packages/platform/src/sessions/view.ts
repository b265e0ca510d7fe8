import type { BuyerSession, FunnelStep, Payment, SessionOrder, SessionPayment } from '@tillwright/contract'
import { findStore } from '../catalog/index.ts'
import { findCardSummaries } from '../customers/index.ts'
import { withNextAction } from '../payments/index.ts'
import type { PageUrls } from '../plugins/index.ts'
import type { PendingReply, RequestContext, Reply } from '../request-context.ts'
import type { Database } from '../storage/index.ts'
import { broughtAlongOf } from './brought-along.ts'
import { type BuyersSession, orderStanding, paidSteps } from './buyers-session.ts'
import { nextStep } from './next-step.ts'

/** Shows a session to its page, with its order. Of the customer it tells what was said in the session and no more. */
export type ViewSession = (
  buyers: BuyersSession,
  order: SessionOrder,
  context: Pick<RequestContext, 'services'>,
) => Promise<BuyerSession>

/** @param urlsOf Where the steps of funnels are served. */
export function sessionView(urlsOf: PageUrls): ViewSession {
  return async (buyers, order, { services }) => {
    const { session, state, payment, tokenExpiresAtMs } = buyers
    const { accountId, isPreview } = session.metadata
    const [place, thankYouUrl, paymentInstruments] = await Promise.all([
      placeOf(buyers, urlsOf, services.db),
      thankYouUrlOf(buyers, services.db),
      findCardSummaries(goodInstruments(buyers), accountId, services.db),
    ])
    return {
      sessionId: session.sessionId,
      storeId: session.storeId,
      isPreview,
      expiresAt: new Date(tokenExpiresAtMs).toISOString(),
      customer: { ...state.buyer, id: session.originalCustomerId },
      ...place,
      isCompleted: state.isCompleted,
      thankYouUrl,
      order,
      payment: payment && toSessionPayment(withNextAction(payment, services)),
      broughtAlong: broughtAlongOf(buyers, order),
      paymentInstruments,
      preview: session.preview,
    }
  }
}

/**
 * The merchant's own page for buyers who have paid. A preview of `staging` stays with the funnel that is being edited: a
 * page that counts sales is not to count its clicks.
 */
async function thankYouUrlOf(buyers: BuyersSession, db: Database): Promise<string | null> {
  const { session, state, payment } = buyers
  const isPlaced = payment !== null && orderStanding(buyers) === 'placed'
  const orderIds = isPlaced ? [...state.paidOrderIds, payment.orderId] : state.paidOrderIds
  if (orderIds.length === 0 || session.environment === 'staging') return null
  const store = await findStore(session.storeId, session.metadata.accountId, db)
  if (!store?.customThankYouUrl) return null
  const url = new URL(store.customThankYouUrl)
  url.searchParams.delete('orderId')
  for (const orderId of orderIds) url.searchParams.append('orderId', orderId)
  return url.href
}

/** The instruments that have paid something in the session. */
function goodInstruments(buyers: BuyersSession): string[] {
  const last = orderStanding(buyers) === 'placed' ? (buyers.payment?.paymentInstrumentId ?? null) : null
  return [...new Set([...buyers.state.paidWithIds, ...(last === null ? [] : [last])])]
}

type Placed = Pick<BuyerSession, 'funnel' | 'step' | 'nextStep' | 'furthestStepId'>

async function placeOf(buyers: BuyersSession, urlsOf: PageUrls, db: Database): Promise<Placed> {
  const { session, funnel } = buyers
  if (funnel === null) return { funnel: null, step: null, nextStep: null, furthestStepId: null }
  const { currentStepId, furthestStepId, funnelVariantId: variantId, environment } = session
  const { accountId } = session.metadata
  const step = funnel.steps.find(({ id }) => id === currentStepId) ?? null
  const following = nextStep(funnel, { currentStepId, environment, paidAt: paidSteps(buyers) })
  const shown = [step, following].filter((each) => each !== null)
  const urls = await urlsOf(shown, { accountId, storeId: session.storeId }, db)
  const urlOf = ({ id }: FunnelStep) => urls.get(id) ?? null
  return {
    funnel: { id: funnel.id, name: funnel.name, variantId },
    step: step && shownStep(step, urlOf(step)),
    nextStep: following && inOrder(following, urlOf(following)),
    furthestStepId,
  }
}

function shownStep({ previewOnly: _, ...step }: FunnelStep, url: string | null): Placed['step'] {
  return { ...step, url }
}

function inOrder({ id, type, name, path }: FunnelStep, url: string | null): Placed['nextStep'] {
  return { id, type, name, path, url }
}

/**
 * A payment as its buyer's page may see it: nothing of processors, and nothing of what was known of the buyer. One whose
 * money came after its time has bought nothing: it stays declined.
 */
export function toSessionPayment(payment: Payment): SessionPayment {
  const { id, orderId, paymentInstrumentId, paymentMethod, requireAction, nextAction, routing } = payment
  const { status, declineCode }: Pick<Payment, 'status' | 'declineCode'> = routing.paidLate
    ? { status: 'declined', declineCode: 'payment_expired' }
    : payment
  const { expiresAt, amount, currency } = payment
  const moved = { status, requireAction, nextAction, expiresAt, declineCode }
  return { id, orderId, paymentInstrumentId, paymentMethod, ...moved, amount, currency }
}

/** The reply for a buyer's page that has asked for a payment. */
export function replyForPage(
  reply: Reply<Payment> | PendingReply<Payment>,
): Reply<SessionPayment> | PendingReply<SessionPayment> {
  if (!('end' in reply)) return shownReply(reply)
  return { meanwhile: () => reply.meanwhile().then(shownReply), end: reply.end.then(shownReply) }
}

function shownReply(reply: Reply<Payment>): Reply<SessionPayment> {
  return 'body' in reply ? { ...reply, body: toSessionPayment(reply.body) } : reply
}
