import type { BuyerSession, Contract, EventProperties, Funnel, FunnelSession, FunnelStep } from '@tillwright/contract'
import { emit } from '../events/index.ts'
import { stepProperties } from '../funnels/index.ts'
import type { RequestContext, Handler, Reply, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type BuyersSession, paidSteps, readSession, replaceSession } from './buyers-session.ts'
import { mustPayFirst, nextStep, wayTo } from './next-step.ts'
import { orderOf } from './open-order.ts'
import type { ViewSession } from './view.ts'

/** A session in its funnel. */
type InFunnel = BuyersSession & { funnel: Funnel }

/** A session that has moved, with the events that tell of it. */
interface Moved {
  buyers: BuyersSession
  events: readonly Write[]
}

/** The session at a step, which may be the furthest one yet, and the end of the funnel. */
function arriveAt(step: FunnelStep, buyers: InFunnel, context: RequestContext): Moved {
  const session = at(step, buyers.session, buyers.funnel)
  const moved = { ...buyers, session }
  const viewed = emit(
    's_funnel_session_step_viewed',
    { ...aboutOf(session), properties: stepProperties(session, step) },
    context,
  )
  const place = { ...session, paidAt: paidSteps(moved) }
  if (moved.state.isCompleted || nextStep(moved.funnel, place) !== null) return { buyers: moved, events: viewed }
  const completed = completeAt(step, moved, context)
  return { ...completed, events: [...viewed, ...completed.events] }
}

/** The session at the end of its funnel. */
function completeAt(step: FunnelStep, buyers: BuyersSession, context: RequestContext): Moved {
  const { session, state } = buyers
  const properties = { ...stepProperties(session, step), paid: paidSteps(buyers).size > 0 }
  const events = emit('s_funnel_session_completed', { ...aboutOf(session), properties }, context)
  return { buyers: { ...buyers, state: { ...state, isCompleted: true } }, events }
}

/** A session that has not moved is answered as it stands, and is not written. */
async function replyMoved(
  { buyers, events }: Moved,
  context: RequestContext,
  view: ViewSession,
): Promise<Reply<BuyerSession>> {
  const body = await view(buyers, await orderOf(buyers, context), context)
  return { body, writes: events.length === 0 ? [] : [...replaceSession(buyers, context.nowMs), ...events] }
}

/** Whom the events of a session are about. */
export function aboutOf({ storeId, customerId }: FunnelSession): Pick<FunnelSession, 'storeId' | 'customerId'> {
  return { storeId, customerId }
}

function at({ id }: FunnelStep, session: FunnelSession, { steps }: Funnel): FunnelSession {
  const placeOf = (stepId: string) => steps.findIndex((step) => step.id === stepId)
  const isFurthest = placeOf(id) > placeOf(session.furthestStepId)
  const metadata = { ...session.metadata, totalStepsVisited: session.metadata.totalStepsVisited + 1 }
  return { ...session, currentStepId: id, furthestStepId: isFurthest ? id : session.furthestStepId, metadata }
}

/** Leads a buyer on to the next step, and tells of what was left and of the end of the funnel. */
export function goOn(view: ViewSession): Handler<Contract['session']['next']> {
  return async ({ body: { stepId } }, context) => {
    const buyers = await readSession(context)
    const { funnel, session } = buyers
    const step = funnel?.steps.find(({ id }) => id === stepId)
    if (funnel === null || step === undefined) throw missing('funnel step', stepId, 'stepId')
    if (stepId !== session.currentStepId) return replyMoved({ buyers, events: [] }, context, view)
    return replyMoved(leave(step, { ...buyers, funnel }, context), context, view)
  }
}

function leave(step: FunnelStep, buyers: InFunnel, context: RequestContext): Moved {
  const { funnel, session, state } = buyers
  const place = { ...session, paidAt: paidSteps(buyers) }
  if (mustPayFirst(step, place)) {
    throw new ApiError('state_conflict', 'The checkout is left once something is paid; pay the order first.', {
      param: 'stepId',
    })
  }
  const next = nextStep(funnel, place)
  if (next === null && state.isCompleted) return { buyers, events: [] }
  const paid = place.paidAt.has(step.id)
  const left = stepCompleted(session, { ...stepProperties(session, step), nextStepId: next?.id ?? null, paid }, context)
  const { buyers: moved, events } = next === null ? completeAt(step, buyers, context) : arriveAt(next, buyers, context)
  return { buyers: moved, events: [...left, ...events] }
}

function stepCompleted(
  session: FunnelSession,
  properties: EventProperties<'s_funnel_session_step_completed'>,
  context: RequestContext,
): Write[] {
  return emit('s_funnel_session_step_completed', { ...aboutOf(session), properties }, context)
}

/** Takes a buyer to a step where they have been, and a preview of the staging environment to any. */
export function goTo(view: ViewSession): Handler<Contract['session']['goTo']> {
  return async ({ body: { stepId } }, context) => {
    const buyers = await readSession(context)
    const { funnel } = buyers
    const step = funnel?.steps.find(({ id }) => id === stepId)
    if (funnel === null || step === undefined) throw missing('funnel step', stepId, 'stepId')
    if (stepId === buyers.session.currentStepId) return replyMoved({ buyers, events: [] }, context, view)
    requireOpen(stepId, { ...buyers, funnel })
    return replyMoved(arriveAt(step, { ...buyers, funnel }, context), context, view)
  }
}

/** @throws {ApiError} 404 for a step that a buyer may not see, 409 for one that they cannot go to. */
function requireOpen(stepId: string, buyers: InFunnel): void {
  const { session, funnel } = buyers
  const place = { ...session, paidAt: paidSteps(buyers) }
  switch (wayTo(funnel, stepId, place)) {
    case 'open':
      return
    case 'unknown':
      throw missing('funnel step', stepId, 'stepId')
    case 'not_reached':
      throw closed('The buyer has not come as far as this step; lead them on with next.')
    case 'closed':
      throw closed('The offer was left and something was paid since, so that it is closed; go to another step.')
  }
}

function closed(message: string): ApiError {
  return new ApiError('state_conflict', message, { param: 'stepId' })
}
