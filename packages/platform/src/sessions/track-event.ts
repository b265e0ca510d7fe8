import type { Contract } from '@tillwright/contract'
import type { Handler } from '../call.ts'
import { emit } from '../events/emit.ts'
import { aboutOf } from './arrive-at-step.ts'
import { readSession } from './buyers-session.ts'

/** Puts on record what a page tells of itself. It changes nothing of the session. */
export const trackEvent: Handler<Contract['session']['track']> = async ({ body }, call) => {
  const { session, funnel } = await readSession(call)
  const { sessionId, funnelId, currentStepId } = session
  const place = funnel === null ? { funnelId: null, stepId: null } : { funnelId, stepId: currentStepId }
  const { name, properties } = body
  const told = { ...aboutOf(session), properties: { sessionId, ...place, name, properties } }
  return { body: { success: true }, writes: emit('s_funnel_session_event_tracked', told, call) }
}
