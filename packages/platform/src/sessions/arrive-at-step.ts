import type { BuyerSession, Funnel, FunnelSession, FunnelStep } from '@tillwright/contract'
import type { Call, Reply, Write } from '../call.ts'
import { emit } from '../events/emit.ts'
import { stepProperties } from '../funnels/step-properties.ts'
import { paidSteps, replaceSession, type BuyersSession } from './buyers-session.ts'
import { nextStep } from './next-step.ts'
import { orderOf } from './open-order.ts'
import type { ViewSession } from './session-view.ts'

/** A session in its funnel. */
export type InFunnel = BuyersSession & { funnel: Funnel }

/** A session that has moved, with the events that tell of it. */
export interface Moved {
  buyers: BuyersSession
  events: readonly Write[]
}

/** The session at a step, which may be the furthest one yet, and the end of the funnel. */
export function arriveAt(step: FunnelStep, buyers: InFunnel, call: Call): Moved {
  const session = at(step, buyers.session, buyers.funnel)
  const moved = { ...buyers, session }
  const viewed = emit(
    's_funnel_session_step_viewed',
    { ...aboutOf(session), properties: stepProperties(session, step) },
    call,
  )
  const { currentStepId, metadata } = session
  const place = { currentStepId, isPreview: metadata.isPreview, paidAt: paidSteps(moved) }
  if (moved.state.isCompleted || nextStep(moved.funnel, place) !== null) return { buyers: moved, events: viewed }
  const completed = completeAt(step, moved, call)
  return { ...completed, events: [...viewed, ...completed.events] }
}

/** The session at the end of its funnel. */
export function completeAt(step: FunnelStep, buyers: BuyersSession, call: Call): Moved {
  const { session, state } = buyers
  const properties = { ...stepProperties(session, step), paid: paidSteps(buyers).size > 0 }
  const events = emit('s_funnel_session_completed', { ...aboutOf(session), properties }, call)
  return { buyers: { ...buyers, state: { ...state, isCompleted: true } }, events }
}

/** A session that has not moved is answered as it stands, and is not written. */
export async function replyMoved(
  { buyers, events }: Moved,
  call: Call,
  view: ViewSession,
): Promise<Reply<BuyerSession>> {
  const body = await view(buyers, await orderOf(buyers, call), call)
  return { body, writes: events.length === 0 ? [] : [...replaceSession(buyers, call.nowMs), ...events] }
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
