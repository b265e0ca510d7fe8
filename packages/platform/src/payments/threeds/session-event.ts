import type { EventType, ThreedsStatus } from '@tillwright/contract'

type OutcomeEvent = Extract<EventType, `s_threeds_session_${'challenge_required' | 'succeeded' | 'failed'}`>

/**
 * The event of an outcome; `null` while the bank asks the buyer elsewhere, of which there is nothing to tell. Succeeded are
 * those that prove something to the acquirer, by an authentication or by the attempt at one; whatever else a session ends
 * in is failed, and the event's `status` says how.
 */
export function sessionEvent(status: ThreedsStatus): OutcomeEvent | null {
  if (status === 'authenticating') return null
  if (status === 'challenge_required') return 's_threeds_session_challenge_required'
  return status === 'successful' || status === 'attempted' ? 's_threeds_session_succeeded' : 's_threeds_session_failed'
}
