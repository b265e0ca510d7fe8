import { z } from 'zod'
import { exampleId, idOf } from './ids.ts'
import { trackedEvent } from './resources/tracked-events.ts'

const funnelId = idOf('funnel', 'The id of the funnel.')
const ofFunnel = {
  funnelId,
  name: z.string().meta({ description: 'The name of the funnel.', examples: ['Summer sale'] }),
}
const atStep = {
  sessionId: idOf('funnelSession', 'The session.'),
  funnelId,
  funnelVariantId: z
    .string()
    .nullable()
    .meta({
      description: 'The variant of the funnel; null for one without.',
      examples: [exampleId('funnelVariant')],
    }),
  stepId: idOf('funnelStep', 'The step.'),
  stepType: z.string().meta({ description: 'What the step is for.', examples: ['checkout'] }),
}
const nullableStep = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [exampleId('funnelStep')] })

/** The types of events that tell of funnels and of the sessions that go through them. */
export const funnelEvents = {
  s_funnel_created: z.object(ofFunnel).meta({ description: 'A funnel was created.' }),
  s_funnel_updated: z.object(ofFunnel).meta({ description: 'A funnel was changed.' }),
  s_funnel_session_started: z.object(atStep).meta({ description: 'Somebody has entered a funnel.' }),
  s_funnel_session_step_viewed: z.object(atStep).meta({ description: 'Somebody has come to a step of a funnel.' }),
  s_funnel_session_step_completed: z
    .object({
      ...atStep,
      nextStepId: nullableStep('The step that follows; null at the end.'),
      paid: z.boolean().meta({ description: 'Whether something was paid at the step.', examples: [true] }),
    })
    .meta({ description: 'Somebody has left a step of a funnel onward.' }),
  s_funnel_session_completed: z
    .object({
      ...atStep,
      paid: z.boolean().meta({ description: 'Whether something was paid on the way.', examples: [true] }),
    })
    .meta({ description: 'Somebody has come to the end of a funnel.' }),
  s_funnel_session_event_tracked: z
    .object({
      sessionId: atStep.sessionId,
      funnelId: z
        .string()
        .nullable()
        .meta({ description: 'The funnel; null for a session outside of any.', examples: [exampleId('funnel')] }),
      stepId: nullableStep('Where the buyer was; null outside of a funnel.'),
      ...trackedEvent.shape,
    })
    .meta({ description: 'A page has told of something that happened in it.' }),
} as const
