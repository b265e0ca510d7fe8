import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { currency } from '../money.ts'
import { locale, timestamp } from '../text.ts'

const environment = z
  .enum(['staging', 'production'])
  .meta({ description: 'Whether the funnel is met as it is being built or as buyers meet it.', examples: ['staging'] })

/** What happens to the next payment of a preview, by card network: 1 is Visa, 2 Mastercard, 3 American Express. */
export const testCardPreset = z.enum([
  'network1_success',
  'network2_success',
  'network3_success',
  'network1_declined',
  'network1_insufficient',
  'network1_3ds',
])
export type TestCardPreset = z.infer<typeof testCardPreset>

/** What comes of the 3-D Secure of a preview's next payment; `none` for a payment without. */
export const threedsPreset = z.enum(['frictionless', 'challenge', 'fail', 'none'])
export type ThreedsPreset = z.infer<typeof threedsPreset>

/** How the presets may be spelled. */
const presetOf = {
  network1_success: 'network1_success',
  network2_success: 'network2_success',
  network3_success: 'network3_success',
  network1_declined: 'network1_declined',
  network1_insufficient: 'network1_insufficient',
  network1_3ds: 'network1_3ds',
  visa_success: 'network1_success',
  mastercard_success: 'network2_success',
  amex_success: 'network3_success',
  visa_declined: 'network1_declined',
  visa_insufficient: 'network1_insufficient',
  visa_3ds: 'network1_3ds',
} as const satisfies Record<string, TestCardPreset>

const spellings = Object.keys(presetOf) as (keyof typeof presetOf)[] // the keys of this very literal

const countryMeta = { description: 'The country that goods are shipped to, as ISO 3166-1 alpha-2.', examples: ['DE'] }
const localeMeta = { description: 'The language of the pages, as BCP 47.', examples: ['en-US'] }
const currencyMeta = { description: 'The currency that prices are shown in, as ISO 4217.', examples: ['USD'] }
const presetMeta = { description: 'How the next payment ends, whatever card is typed.', examples: ['network1_success'] }
const optionsMeta = {
  description:
    'What the page builder wants to tell the page. A page with the SDK takes `config` in it for its settings.',
  examples: [{ viewport: 'phone' }],
}
const threedsMeta = {
  description:
    'How the next payment is authenticated, whatever its flow and its card would have; null leaves it to them. With `none` it is not.',
  examples: ['challenge'],
}
const contextMeta = { description: 'What the page is told of its surroundings.', examples: [{ source: 'builder' }] }
const stickyMeta = { description: 'Whether the customer keeps the variant that was drawn.', examples: [false] }

/** The body of `POST /funnels/{funnelId}/preview-session`. Source: reference. */
export const newPreviewSession = z.object({
  storeId: referenceTo('store', 'The store of the funnel.'),
  stepId: referenceTo('funnelStep', 'The step that the preview begins with.'),
  funnelId: reference
    .optional()
    .meta({ description: 'The funnel of the path, if repeated.', examples: [exampleId('funnel')] }),
  accountId: reference
    .optional()
    .meta({ description: 'The account of the key, if repeated.', examples: [exampleId('account')] }),
  environment: environment.default('staging'),
  funnelVariantId: reference.optional().meta({
    description: 'The variant to show; drawn by weight if left out.',
    examples: [exampleId('funnelVariant')],
  }),
  enableSticky: z.boolean().default(false).meta(stickyMeta),
  currency: currency.optional().meta(currencyMeta),
  locale: locale.optional().meta({ description: localeMeta.description }),
  // JSON Schema shows the examples of what is transformed only where they stand before the transformation.
  testCardPreset: z
    .enum(spellings)
    .meta({ examples: ['network1_success'] })
    .transform((spelling) => presetOf[spelling])
    .optional()
    .meta({ description: 'How the next payment ends, whatever card is typed. A network may be called by its name.' }),
  previewShippingCountry: z
    .string()
    .length(2)
    .regex(/^[A-Za-z]*$/, 'must be an ISO 3166-1 alpha-2 code, such as "DE"')
    .meta({ examples: ['DE'] })
    .transform((code) => code.toUpperCase())
    .optional()
    .meta({ description: countryMeta.description }),
  builderOptions: smallFreeForm.optional().meta(optionsMeta),
  contextData: smallFreeForm.optional().meta(contextMeta),
})
export type NewPreviewSession = z.output<typeof newPreviewSession>

const sessionId = idOf('funnelSession', 'The session.')
const funnelId = idOf('funnel', 'The funnel.')
const customerId = idOf('customer', 'The customer.')
const stepId = idOf('funnelStep', 'The step.')
const anyObject = z.record(z.string(), z.unknown())
const epochMs = z.int().meta({ examples: [1_795_167_000_000] })

/** A preview that was begun. `token` is shown this once. */
export const previewSession = z
  .object({
    sessionId,
    funnelId,
    stepId: stepId.meta({ description: 'The step that the preview begins with.' }),
    token: z.string().meta({
      description: 'Opens the session to the page that is previewed, for one hour.',
      examples: ['fstok_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
    customerId: customerId.meta({ description: 'The nameless customer that the preview has made.' }),
  })
  .meta({ id: 'PreviewSession' })

/** The body of `POST /api/funnels/v1/previews/{sessionId}`. */
export const previewUpdate = z.object({ threeds: threedsPreset.nullable().meta(threedsMeta) })

/** What a preview has asked for: `null` where it has not said. */
export const previewOptions = z
  .object({
    enableSticky: z.boolean().meta(stickyMeta),
    currency: z.string().nullable().meta(currencyMeta),
    locale: z.string().nullable().meta(localeMeta),
    testCardPreset: testCardPreset.nullable().meta(presetMeta),
    threeds: threedsPreset.nullable().meta(threedsMeta),
    previewShippingCountry: z.string().nullable().meta(countryMeta),
    builderOptions: anyObject.meta(optionsMeta),
    contextData: anyObject.meta(contextMeta),
  })
  .meta({ id: 'PreviewOptions' })

/** One buyer's way through a funnel. Source: reference, "Funnel session"; `funnelVariantId` and `preview` are ours. */
export const funnelSession = z
  .object({
    sessionId,
    customerId: customerId.meta({ description: 'Who goes through the funnel.' }),
    storeId: idOf('store', 'The store.'),
    funnelId,
    funnelVariantId: z
      .string()
      .nullable()
      .meta({
        description: 'The variant of the funnel; null for one without.',
        examples: [exampleId('funnelVariant')],
      }),
    currentStepId: stepId.meta({ description: 'Where the buyer is.' }),
    furthestStepId: stepId.meta({ description: 'How far the buyer has come.' }),
    environment,
    startedAt: epochMs.meta({ description: 'When it began, in milliseconds since 1970.' }),
    lastActivityAt: epochMs.meta({ description: 'When the buyer last did something, in milliseconds since 1970.' }),
    originalCustomerId: customerId.meta({ description: 'Who it began with.' }),
    customerHistory: z
      .array(
        z.object({
          fromCustomerId: customerId.meta({ description: 'Who the buyer was.' }),
          toCustomerId: customerId.meta({ description: 'Who the buyer became.' }),
          reason: z.string().meta({ description: 'Why, in a word.', examples: ['identified'] }),
          timestamp: epochMs.meta({ description: 'When, in milliseconds since 1970.' }),
        }),
      )
      .meta({
        description:
          'How the session’s customer changed, oldest first. What a page says of its buyer never changes the customer.',
      }),
    metadata: z
      .object({
        startedAt: timestamp.meta({ description: 'When it began.', examples: ['2026-11-20T09:30:00.000Z'] }),
        totalStepsVisited: z.int().meta({ description: 'How many steps were looked at.', examples: [1] }),
        cmsSessionId: idOf(
          'funnelSession',
          'The session as the page builder knows it: its own id while no other builder leads it.',
        ),
        accountId: idOf('account', 'The account.'),
        isPreview: z.boolean().meta({ description: 'Whether it is a preview, which sells nothing.', examples: [true] }),
      })
      .meta({ description: 'Facts about the session itself.' }),
    resources: z
      .object({
        customer: z
          .object({ id: customerId.meta({ description: 'Who goes through the funnel.' }) })
          .meta({ description: 'The customer.' }),
      })
      .meta({ description: 'What the session has gathered.' }),
    preview: previewOptions.nullable().meta({ description: 'What the preview asked for; null for a buyer’s session.' }),
  })
  .meta({ id: 'FunnelSession' })
export type FunnelSession = z.infer<typeof funnelSession>
