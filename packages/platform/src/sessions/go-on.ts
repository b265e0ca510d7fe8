import type { Contract, Funnel, FunnelSession, FunnelStep } from '@tillwright/contract'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Call, Handler, Reply, Write } from '../call.ts'
import { emit } from '../events/emit.ts'
import { stepProperties } from '../funnels/step-properties.ts'
import { paidSteps, readSession, replaceSession, type BuyersSession } from './buyers-session.ts'
import { mustPayFirst, nextStep } from './next-step.ts'
import { orderOf } from './open-order.ts'
import { sessionView } from './session-view.ts'

/** Leads a buyer on to the next step, and tells of the end of the funnel. */
export const goOn: Handler<Contract['session']['next']> = async ({ body: { stepId } }, call) => {
  const buyers = await readSession(call)
  const { funnel, session } = buyers
  const step = funnel?.steps.find(({ id }) => id === stepId)
  if (funnel === null || step === undefined) throw missing('funnel step', stepId, 'stepId')
  if (stepId !== session.currentStepId) return answer(buyers, [], call)
  const place = { ...session, isPreview: session.metadata.isPreview, paidAt: paidSteps(buyers) }
  if (mustPayFirst(step, place)) {
    throw new ApiError('state_conflict', 'The checkout is left once something is paid; pay the order first.', {
      param: 'stepId',
    })
  }
  const next = nextStep(funnel, place)
  if (next === null)
    return buyers.state.isCompleted ? answer(buyers, [], call) : complete(buyers, { step, viewed: [] }, call)
  const moved = { ...buyers, session: at(next, session, funnel) }
  const isEnd = nextStep(funnel, { ...place, currentStepId: next.id }) === null
  const viewed = told('s_funnel_session_step_viewed', { session: moved.session, step: next }, call)
  return isEnd && !moved.state.isCompleted ? complete(moved, { step: next, viewed }, call) : answer(moved, viewed, call)
}

/** The session at a step, which may be the furthest one yet. */
function at({ id }: FunnelStep, session: FunnelSession, { steps }: Funnel): FunnelSession {
  const placeOf = (stepId: string) => steps.findIndex((step) => step.id === stepId)
  const isFurthest = placeOf(id) > placeOf(session.furthestStepId)
  const metadata = { ...session.metadata, totalStepsVisited: session.metadata.totalStepsVisited + 1 }
  return { ...session, currentStepId: id, furthestStepId: isFurthest ? id : session.furthestStepId, metadata }
}

type View = Awaited<ReturnType<typeof sessionView>>

async function complete(
  buyers: BuyersSession,
  { step, viewed }: { step: FunnelStep; viewed: readonly Write[] },
  call: Call,
): Promise<Reply<View>> {
  const completed = { ...buyers, state: { ...buyers.state, isCompleted: true } }
  const ended = told('s_funnel_session_completed', { session: buyers.session, step }, call)
  return answer(completed, [...viewed, ...ended], call)
}

/** A session that has not moved is answered as it stands. */
async function answer(buyers: BuyersSession, events: readonly Write[], call: Call): Promise<Reply<View>> {
  const body = await sessionView(buyers, await orderOf(buyers, call), call)
  return { body, writes: events.length === 0 ? [] : [...replaceSession(buyers, call.nowMs), ...events] }
}

function told(
  type: 's_funnel_session_step_viewed' | 's_funnel_session_completed',
  { session, step }: { session: FunnelSession; step: FunnelStep },
  call: Call,
): Write[] {
  const { storeId, customerId } = session
  return emit(type, { storeId, customerId, properties: stepProperties(session, step) }, call)
}
