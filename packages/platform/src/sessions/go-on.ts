import type { Contract, EventProperties, FunnelSession, FunnelStep } from '@tillwright/contract'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Call, Handler, Write } from '../call.ts'
import { emit } from '../events/emit.ts'
import { stepProperties } from '../funnels/step-properties.ts'
import { aboutOf, arriveAt, completeAt, replyMoved, type InFunnel, type Moved } from './arrive-at-step.ts'
import { paidSteps, readSession } from './buyers-session.ts'
import { mustPayFirst, nextStep } from './next-step.ts'
import type { ViewSession } from './session-view.ts'

/** Leads a buyer on to the next step, and tells of what was left and of the end of the funnel. */
export function goOn(view: ViewSession): Handler<Contract['session']['next']> {
  return async ({ body: { stepId } }, call) => {
    const buyers = await readSession(call)
    const { funnel, session } = buyers
    const step = funnel?.steps.find(({ id }) => id === stepId)
    if (funnel === null || step === undefined) throw missing('funnel step', stepId, 'stepId')
    if (stepId !== session.currentStepId) return replyMoved({ buyers, events: [] }, call, view)
    return replyMoved(leave(step, { ...buyers, funnel }, call), call, view)
  }
}

function leave(step: FunnelStep, buyers: InFunnel, call: Call): Moved {
  const { funnel, session, state } = buyers
  const place = { ...session, isPreview: session.metadata.isPreview, paidAt: paidSteps(buyers) }
  if (mustPayFirst(step, place)) {
    throw new ApiError('state_conflict', 'The checkout is left once something is paid; pay the order first.', {
      param: 'stepId',
    })
  }
  const next = nextStep(funnel, place)
  if (next === null && state.isCompleted) return { buyers, events: [] }
  const paid = place.paidAt.has(step.id)
  const left = told(session, { ...stepProperties(session, step), nextStepId: next?.id ?? null, paid }, call)
  const { buyers: moved, events } = next === null ? completeAt(step, buyers, call) : arriveAt(next, buyers, call)
  return { buyers: moved, events: [...left, ...events] }
}

function told(
  session: FunnelSession,
  properties: EventProperties<'s_funnel_session_step_completed'>,
  call: Call,
): Write[] {
  return emit('s_funnel_session_step_completed', { ...aboutOf(session), properties }, call)
}
