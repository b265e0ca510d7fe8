import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'
import { idOf, ownId, reference, referenceTo } from '../ids.ts'
import { FUNNEL_STEPS_MAX, FUNNEL_VARIANTS_MAX } from '../limits.ts'
import { label, name, timestamp } from '../text.ts'

/** A word rather than one of a list: plugins name the types of the steps that their pages serve. */
export const stepType = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 lower-case letters, digits and "_", such as "thank_you"')
  .meta({
    description:
      'What the step is for: landing, product, checkout, offer, upsell, downsell, thank_you, custom, or a word of a plugin.',
    examples: ['checkout'],
  })

const stepPath = z
  .string()
  .max(255)
  .regex(/^(\/|(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+)$/, 'must be an absolute path without a slash at its end')
  .meta({ description: 'Where the step stands below the funnel’s address.', examples: ['/checkout'] })

const stepName = name.meta({ description: 'What the step is called among its makers.', examples: ['Checkout'] })
const pluginId = { description: 'The plugin whose page serves the step; null for none.', examples: ['plugin_one-page'] }
const pageId = { description: 'The page of the plugin that serves the step; null for none.', examples: ['checkout'] }
const previewOnly = { description: 'Whether only previews meet the step, and no buyer.', examples: [false] }
const stepOffer = z
  .array(
    z.object({
      variantId: referenceTo('variant', 'A variant that the step offers.'),
      quantity: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(1)
        .meta({ description: 'How many of it one click may buy at most.', examples: [1] }),
    }),
  )
  .max(50)
  .nullable()
  .meta({
    description:
      'What one click may buy here with the card of an earlier step. Null where it is not said: then anything that costs no more than what the buyer has agreed to with that card.',
    examples: [[{ variantId: 'variant_3q8Zb1kV0pR7sT2uW9xYaB', quantity: 1 }]],
  })
const settings = { description: 'Settings of the page, of whatever shape it wants.', examples: [{ showCoupon: true }] }

/** A step of a funnel to be made. */
export const newFunnelStep = z.object({
  id: ownId
    .optional()
    .meta({ description: 'An id of your own; one is made if left out.', examples: ['step-checkout'] }),
  type: stepType,
  name: stepName,
  path: stepPath,
  isEntry: z
    .boolean()
    .optional()
    .meta({ description: 'Whether buyers begin here; the first step if none says so.', examples: [true] }),
  pluginId: reference.nullable().default(null).meta(pluginId),
  pageId: label.nullable().default(null).meta(pageId),
  settings: smallFreeForm.default({}).meta(settings),
  offer: stepOffer.default(null),
  previewOnly: z.boolean().default(false).meta(previewOnly),
})

const variantName = name.meta({ description: 'What the variant is called among its makers.', examples: ['Short form'] })
const variantWeight = z
  .number()
  .min(0)
  .max(1e6)
  .meta({ description: 'Its relative share of the sessions: 3 is drawn three times as often as 1.', examples: [1] })

/** A variant of a funnel to be made. */
export const newFunnelVariant = z.object({
  id: ownId.optional().meta({ description: 'An id of your own; one is made if left out.', examples: ['short-form'] }),
  name: variantName,
  weight: variantWeight.default(1),
})

const funnelName = name.meta({ description: 'What the funnel is called.', examples: ['Summer sale'] })
const active = z.boolean().meta({ description: 'Whether buyers may enter the funnel.', examples: [true] })
const steps = z
  .array(newFunnelStep)
  .min(1)
  .max(FUNNEL_STEPS_MAX)
  .superRefine(oneEntry)
  .superRefine(distinct('id'))
  .superRefine(distinct('path'))
  .meta({ description: 'The steps in the order in which a buyer meets them.' })
const variants = z
  .array(newFunnelVariant)
  .max(FUNNEL_VARIANTS_MAX)
  .superRefine(distinct('id'))
  .meta({ description: 'What sessions are divided among, by weight.' })

/** The body of `POST /api/funnels/v1/funnels`. */
export const newFunnel = z.object({
  id: ownId.optional().meta({ description: 'An id of your own; one is made if left out.', examples: ['summer-sale'] }),
  storeId: referenceTo('store', 'The store that the funnel sells for.'),
  name: funnelName,
  active: active.default(true),
  steps,
  variants: variants.default([]),
})
export type NewFunnel = z.output<typeof newFunnel>
/** The same as a caller may send it, before defaults are filled in. */
export type NewFunnelInput = z.input<typeof newFunnel>

/** The body of `POST /api/funnels/v1/funnels/{funnelId}`: what is left out stays, lists are replaced whole. */
export const funnelUpdate = z.object({
  name: funnelName.optional(),
  active: active.optional(),
  steps: steps.optional(),
  variants: variants.optional(),
})
export type FunnelUpdate = z.output<typeof funnelUpdate>

export const funnelStep = z
  .object({
    id: idOf('funnelStep', 'The step, within its funnel.'),
    type: stepType,
    name: stepName,
    path: stepPath,
    isEntry: z.boolean().meta({ description: 'Whether buyers begin here; true for one step.', examples: [true] }),
    pluginId: z.string().nullable().meta(pluginId),
    pageId: z.string().nullable().meta(pageId),
    settings: z.record(z.string(), z.unknown()).meta(settings),
    offer: stepOffer.optional(),
    previewOnly: z.boolean().meta(previewOnly),
  })
  .meta({ id: 'FunnelStep' })
export type FunnelStep = z.infer<typeof funnelStep>

export const funnelVariant = z
  .object({
    id: idOf('funnelVariant', 'The variant, within its funnel.'),
    name: variantName,
    weight: variantWeight,
  })
  .meta({ id: 'FunnelVariant' })
export type FunnelVariant = z.infer<typeof funnelVariant>

/** A funnel: the steps that a buyer of one store is led through. */
export const funnel = z
  .object({
    id: idOf('funnel', 'The funnel.'),
    accountId: idOf('account', 'The account that owns it.'),
    storeId: idOf('store', 'The store that it sells for.'),
    name: funnelName,
    active,
    steps: z.array(funnelStep).meta({ description: 'The steps in the order in which a buyer meets them.' }),
    variants: z.array(funnelVariant).meta({ description: 'What sessions are divided among, by weight.' }),
    createdAt: timestamp.meta({ description: 'When it was made.', examples: ['2026-11-20T09:30:00.000Z'] }),
    updatedAt: timestamp.meta({ description: 'When it was last changed.', examples: ['2026-11-20T09:41:00.000Z'] }),
  })
  .meta({ id: 'Funnel' })
export type Funnel = z.infer<typeof funnel>

function oneEntry(entries: readonly { isEntry?: boolean | undefined }[], context: z.RefinementCtx) {
  const marked = entries.flatMap((entry, index) => (entry.isEntry === true ? [index] : []))
  for (const index of marked.slice(1)) {
    context.addIssue({ code: 'custom', path: [index, 'isEntry'], message: 'must be true for one step at most' })
  }
}

/** Refuses the second of two entries that have the same. */
function distinct<Field extends 'id' | 'path'>(field: Field) {
  return (entries: readonly { [Name in Field]?: string | undefined }[], context: z.RefinementCtx) => {
    const seen = new Set<string>()
    for (const [index, { [field]: value }] of entries.entries()) {
      if (value === undefined) continue
      if (seen.has(value))
        context.addIssue({ code: 'custom', path: [index, field], message: 'must be unique in its funnel' })
      seen.add(value)
    }
  }
}
