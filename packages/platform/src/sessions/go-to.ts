import type { Contract } from '@tillwright/contract'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Handler } from '../call.ts'
import { arriveAt, replyMoved, type InFunnel } from './arrive-at-step.ts'
import { paidSteps, readSession } from './buyers-session.ts'
import { wayTo } from './next-step.ts'
import type { ViewSession } from './session-view.ts'

/** Takes a buyer to a step where they have been, and a preview to any. */
export function goTo(view: ViewSession): Handler<Contract['session']['goTo']> {
  return async ({ body: { stepId } }, call) => {
    const buyers = await readSession(call)
    const { funnel } = buyers
    const step = funnel?.steps.find(({ id }) => id === stepId)
    if (funnel === null || step === undefined) throw missing('funnel step', stepId, 'stepId')
    if (stepId === buyers.session.currentStepId) return replyMoved({ buyers, events: [] }, call, view)
    requireOpen(stepId, { ...buyers, funnel })
    return replyMoved(arriveAt(step, { ...buyers, funnel }, call), call, view)
  }
}

/** @throws {ApiError} 404 for a step that a buyer may not see, 409 for one that they cannot go to. */
function requireOpen(stepId: string, buyers: InFunnel): void {
  const { session, funnel } = buyers
  const place = { ...session, isPreview: session.metadata.isPreview, paidAt: paidSteps(buyers) }
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
