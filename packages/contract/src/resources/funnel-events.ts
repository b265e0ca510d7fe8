import { z } from 'zod'
import { archived, updatedProperties } from '../changes.ts'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf } from '../ids.ts'
import { funnelSession } from './funnel-sessions.ts'

/** An event reported by a page: the body of `POST /api/session/v1/session/events`. */
export const trackedEvent = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 lower-case letters, digits and "_", such as "video_played"')
    .meta({ description: 'The event’s name, chosen by the page.', examples: ['video_played'] }),
  properties: smallFreeForm.default({}).meta({
    description: 'Details of the event: at most 20,000 characters as JSON, and nothing secret.',
    examples: [{ seconds: 42 }],
  }),
})

const funnelId = idOf('funnel', 'The id of the funnel.')
const ofFunnel = {
  funnelId,
  name: z.string().meta({ description: 'The name of the funnel.', examples: ['Summer sale'] }),
}
const atStep = {
  sessionId: idOf('funnelSession', 'The session.'),
  funnelId,
  funnelVariantId: funnelSession.shape.funnelVariantId,
  stepId: idOf('funnelStep', 'The step.'),
  stepType: z.string().meta({ description: 'The purpose of the step.', examples: ['checkout'] }),
}
const nullableStep = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [exampleId('funnelStep')] })

/** Event types of funnels and their sessions: part of `eventTypes`. */
export const funnelEvents = {
  s_funnel_created: z.object(ofFunnel).meta({ description: 'A funnel was created.' }),
  s_funnel_updated: z
    .object({ ...ofFunnel, archived, ...updatedProperties })
    .meta({ description: 'A funnel was changed, archived or unarchived.' }),
  s_funnel_session_started: z.object(atStep).meta({ description: 'A buyer entered a funnel.' }),
  s_funnel_session_step_viewed: z.object(atStep).meta({ description: 'A buyer reached a step of a funnel.' }),
  s_funnel_session_step_completed: z
    .object({
      ...atStep,
      nextStepId: nullableStep('The next step; null at the end.'),
      paid: z.boolean().meta({ description: 'Whether the buyer paid at the step.', examples: [true] }),
    })
    .meta({ description: 'A buyer left a step of a funnel for the next one.' }),
  s_funnel_session_completed: z
    .object({
      ...atStep,
      paid: z.boolean().meta({ description: 'Whether the buyer paid on the way.', examples: [true] }),
    })
    .meta({ description: 'A buyer completed a funnel.' }),
  s_funnel_session_event_tracked: z
    .object({
      sessionId: atStep.sessionId,
      funnelId: z
        .string()
        .nullable()
        .meta({ description: 'The funnel; null for a session without one.', examples: [exampleId('funnel')] }),
      stepId: nullableStep('The buyer’s step; null without a funnel.'),
      ...trackedEvent.shape,
    })
    .meta({ description: 'A page reported an event of its own.' }),
} as const
