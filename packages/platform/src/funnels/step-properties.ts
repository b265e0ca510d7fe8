import type { EventProperties, FunnelSession, FunnelStep } from '@tillwright/contract'

/** What events of a funnel session say of the step that they are about. */
export function stepProperties(
  { sessionId, funnelId, funnelVariantId }: Pick<FunnelSession, 'sessionId' | 'funnelId' | 'funnelVariantId'>,
  { id: stepId, type: stepType }: Pick<FunnelStep, 'id' | 'type'>,
): EventProperties<'s_funnel_session_step_viewed'> {
  return { sessionId, funnelId, funnelVariantId, stepId, stepType }
}
