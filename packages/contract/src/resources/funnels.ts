import { z } from 'zod'
import { archived, optionalRevision, revised } from '../changes.ts'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf, ownId, reference, referenceTo } from '../ids.ts'
import { FUNNEL_STEPS_MAX, FUNNEL_VARIANTS_MAX } from '../limits.ts'
import { label, name, timestamp } from '../text.ts'

/** The types of steps that have a meaning of their own. */
export const stepTypes = [
  'landing',
  'product',
  'checkout',
  'offer',
  'upsell',
  'downsell',
  'thank_you',
  'custom',
] as const

/** A free string rather than an enum, because plugins define the types of the steps they serve. */
export const stepType = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 lower-case letters, digits and "_", such as "thank_you"')
  .meta({
    description: `The purpose of the step: ${stepTypes.join(', ')}, or a type of your plugin.`,
    examples: ['checkout'],
  })

const stepPath = z
  .string()
  .max(255)
  .regex(/^(\/|(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+)$/, 'must be an absolute path without a trailing slash')
  .meta({ description: 'The path of the step below the funnel’s address.', examples: ['/checkout'] })

const stepName = name.meta({ description: 'The step’s internal name.', examples: ['Checkout'] })
const pluginId = { description: 'The plugin whose page serves the step; null for none.', examples: ['plugin_one-page'] }
const pageId = { description: 'The page of the plugin that serves the step; null for none.', examples: ['checkout'] }
const previewOnly = {
  description: 'Whether the step is shown only in previews with `environment` `staging`.',
  examples: [false],
}
const stepOffer = z
  .array(
    z.object({
      variantId: referenceTo('variant', 'A variant that the step offers.'),
      quantity: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(1)
        .meta({ description: 'The largest quantity that one click may buy.', examples: [1] }),
    }),
  )
  .max(50)
  .nullable()
  .meta({
    description:
      'Variants, with the largest quantity of each, that one click may buy here with the card of an earlier step. If null, anything that costs no more than the buyer agreed to with that card, now and in later periods.',
    examples: [[{ variantId: exampleId('variant'), quantity: 1 }]],
  })
const settings = { description: 'Settings of the page, in any format.', examples: [{ showCoupon: true }] }

/** A step to create. */
export const newFunnelStep = z.object({
  id: ownId.optional().meta({ description: 'Your own id; generated if left out.', examples: ['step-checkout'] }),
  type: stepType,
  name: stepName,
  path: stepPath,
  isEntry: z
    .boolean()
    .optional()
    .meta({ description: 'Whether buyers start here; the first step by default.', examples: [true] }),
  pluginId: reference.nullable().default(null).meta(pluginId),
  pageId: label.nullable().default(null).meta(pageId),
  settings: smallFreeForm.default({}).meta(settings),
  offer: stepOffer.default(null),
  previewOnly: z.boolean().default(false).meta(previewOnly),
})

const variantName = name.meta({ description: 'The variant’s internal name.', examples: ['Short form'] })
const variantWeight = z
  .number()
  .min(0)
  .max(1e6)
  .meta({
    description: 'The variant’s relative share of sessions: 3 is drawn three times as often as 1.',
    examples: [1],
  })

/** A variant to create. */
export const newFunnelVariant = z.object({
  id: ownId.optional().meta({ description: 'Your own id; generated if left out.', examples: ['short-form'] }),
  name: variantName,
  weight: variantWeight.default(1),
})

const funnelName = name.meta({ description: 'The funnel’s name.', examples: ['Summer sale'] })
const active = z.boolean().meta({ description: 'Whether buyers may enter the funnel.', examples: [true] })
const steps = z
  .array(newFunnelStep)
  .min(1)
  .max(FUNNEL_STEPS_MAX)
  .superRefine(oneEntry)
  .superRefine(distinct('id'))
  .superRefine(distinct('path'))
  .meta({ description: 'The steps, in the order in which a buyer reaches them.' })
const variants = z
  .array(newFunnelVariant)
  .max(FUNNEL_VARIANTS_MAX)
  .superRefine(distinct('id'))
  .meta({ description: 'Variants to split sessions between, by weight.' })

/** The body of `POST /api/funnels/v1/funnels`. */
export const newFunnel = z.object({
  id: ownId.optional().meta({ description: 'Your own id; generated if left out.', examples: ['summer-sale'] }),
  storeId: referenceTo('store', 'The store that the funnel sells for.'),
  name: funnelName,
  active: active.default(true),
  steps,
  variants: variants.default([]),
})
export type NewFunnel = z.output<typeof newFunnel>
/** A funnel as callers send it, before defaults are filled in. */
export type NewFunnelInput = z.input<typeof newFunnel>

/** The body of `POST /api/funnels/v1/funnels/{funnelId}`: fields left out stay as they are, lists are replaced. */
export const funnelUpdate = z.object({
  name: funnelName.optional(),
  active: active.optional(),
  steps: steps.optional(),
  variants: variants.optional(),
  revision: optionalRevision,
})
export type FunnelUpdate = z.output<typeof funnelUpdate>

export const funnelStep = z
  .object({
    id: idOf('funnelStep', 'The step’s id, unique in its funnel.'),
    type: stepType,
    name: stepName,
    path: stepPath,
    isEntry: z
      .boolean()
      .meta({ description: 'Whether buyers start here; true for exactly one step.', examples: [true] }),
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
    id: idOf('funnelVariant', 'The variant’s id, unique in its funnel.'),
    name: variantName,
    weight: variantWeight,
  })
  .meta({ id: 'FunnelVariant' })
export type FunnelVariant = z.infer<typeof funnelVariant>

/** A funnel: the steps that lead a buyer of one store through a purchase. */
export const funnel = z
  .object({
    id: idOf('funnel', 'The funnel.'),
    accountId: idOf('account', 'The account that the funnel belongs to.'),
    storeId: idOf('store', 'The store that the funnel sells for.'),
    name: funnelName,
    active,
    steps: z.array(funnelStep).meta({ description: 'The steps, in the order in which a buyer reaches them.' }),
    variants: z.array(funnelVariant).meta({ description: 'Variants to split sessions between, by weight.' }),
    createdAt: timestamp.meta({ description: 'When the funnel was created.', examples: ['2026-11-20T09:30:00.000Z'] }),
    archived,
    revision: revised.revision,
    updatedAt: timestamp.meta({
      description: 'When the funnel was last updated.',
      examples: ['2026-11-20T09:41:00.000Z'],
    }),
  })
  .meta({ id: 'Funnel' })
export type Funnel = z.infer<typeof funnel>

function oneEntry(entries: readonly { isEntry?: boolean | undefined }[], context: z.RefinementCtx) {
  const marked = entries.flatMap((entry, index) => (entry.isEntry === true ? [index] : []))
  for (const index of marked.slice(1)) {
    context.addIssue({ code: 'custom', path: [index, 'isEntry'], message: 'must be true for at most one step' })
  }
}

/** Refuses every entry that repeats the value of an earlier one. */
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
