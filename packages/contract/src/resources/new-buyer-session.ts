import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'

/** The body of `POST /api/session/v1/sessions`: where the buyer enters. */
export const newBuyerSession = z
  .object({
    funnelId: referenceTo(
      'funnel',
      'The funnel that the buyer enters, at its first step: this or `storeId`.',
    ).optional(),
    stepId: referenceTo(
      'funnelStep',
      'The step of the funnel whose page the buyer opened: the session begins there if no checkout comes before it.',
    ).optional(),
    storeId: referenceTo(
      'store',
      'The store that the buyer meets outside of any funnel: this or `funnelId`.',
    ).optional(),
  })
  .refine(({ funnelId, storeId }) => (funnelId === undefined) !== (storeId === undefined), {
    path: ['funnelId'],
    error: 'must be given unless `storeId` is: send one of the two',
  })
  .refine(({ funnelId, stepId }) => stepId === undefined || funnelId !== undefined, {
    path: ['stepId'],
    error: 'is a step of a funnel; send `funnelId` with it',
  })
  .meta({ examples: [{ funnelId: exampleId('funnel') }, { storeId: exampleId('store') }] })
export type NewBuyerSession = z.output<typeof newBuyerSession>
