import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { FUNNEL_STEPS_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import { locale, timestamp, webAddress } from '../text.ts'

const environment = z.enum(['staging', 'production']).meta({
  description:
    '`staging` shows all steps of the funnel in any order, `production` shows it to a preview as buyers see it: without steps that are for previews only, and in their order. Neither charges a card.',
  examples: ['staging'],
})

/** The forced outcome of a preview's next payment, by card network: 1 is Visa, 2 Mastercard, 3 American Express. */
export const testCardPreset = z.enum([
  'network1_success',
  'network2_success',
  'network3_success',
  'network1_declined',
  'network1_insufficient',
  'network1_3ds',
])
export type TestCardPreset = z.infer<typeof testCardPreset>

/** The forced 3-D Secure outcome of a preview's next payment; `none` for no authentication. */
export const threedsPreset = z.enum(['frictionless', 'challenge', 'fail', 'none'])
export type ThreedsPreset = z.infer<typeof threedsPreset>

/** Accepted spellings of the presets. */
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

const countryMeta = { description: 'The shipping country, as an ISO 3166-1 alpha-2 code.', examples: ['DE'] }
const localeMeta = { description: 'The language of the pages, as a BCP 47 tag.', examples: ['en-US'] }
const currencyMeta = { description: 'The display currency, as an ISO 4217 code.', examples: ['USD'] }
const presetMeta = {
  description: 'The outcome of the next payment, whatever card is entered.',
  examples: ['network1_success'],
}
const optionsMeta = {
  description: 'Data from the page builder for the page. The SDK reads the page’s settings from its `config`.',
  examples: [{ viewport: 'phone' }],
}
const threedsMeta = {
  description:
    'The authentication of the next payment, whatever its flow and card would require; null leaves it to them, `none` skips it.',
  examples: ['challenge'],
}
const contextMeta = { description: 'The context passed to the page.', examples: [{ source: 'builder' }] }
const stickyMeta = {
  description:
    'Whether the variant is drawn by customer, so that every preview with the same `customerId` shows the same one; otherwise each preview draws anew.',
  examples: [false],
}

const stepUrls = z.array(
  z.object({
    stepId: referenceTo('funnelStep', 'A step of the funnel.'),
    url: webAddress.meta({ description: 'The address of its page.', examples: ['http://localhost:5180/checkout'] }),
  }),
)
const stepUrlsMeta = {
  description:
    'Where the pages of the preview are shown, such as on a dev server. From a step that is named, buyers can pay with methods that lead away, and they come back to its page.',
  examples: [[{ stepId: exampleId('funnelStep'), url: 'http://localhost:5180/checkout' }]],
}

/** The body of `POST /funnels/{funnelId}/preview-session`. Source: reference. */
export const newPreviewSession = z.object({
  storeId: referenceTo('store', 'The store of the funnel.'),
  stepId: referenceTo('funnelStep', 'The step to start at.'),
  funnelId: reference
    .optional()
    .meta({ description: 'The same funnel as in the path; optional.', examples: [exampleId('funnel')] }),
  accountId: reference
    .optional()
    .meta({ description: 'The account of the key; optional.', examples: [exampleId('account')] }),
  environment: environment.default('staging'),
  funnelVariantId: reference.optional().meta({
    description: 'The variant to show; drawn by weight if left out.',
    examples: [exampleId('funnelVariant')],
  }),
  customerId: referenceTo(
    'customer',
    'A customer of the store to show the funnel as; without it the preview has only its own anonymous customer. Nothing entered or paid in the preview changes this customer.',
  ).optional(),
  enableSticky: z.boolean().default(false).meta(stickyMeta),
  currency: currency.optional().meta(currencyMeta),
  locale: locale.optional().meta({ description: localeMeta.description }),
  // JSON Schema includes the examples of a transformed value only if they come before the transformation.
  testCardPreset: z
    .enum(spellings)
    .meta({ examples: ['network1_success'] })
    .transform((spelling) => presetOf[spelling])
    .optional()
    .meta({ description: 'The outcome of the next payment, whatever card is entered. Networks can be given by name.' }),
  previewShippingCountry: z
    .string()
    .length(2, 'must have exactly 2 characters: an ISO 3166-1 alpha-2 code, such as "DE"')
    .meta({ examples: ['DE'] })
    .transform((code) => (/^[a-z]{2}$/i.test(code) ? code.toUpperCase() : code))
    .optional()
    .meta({
      description: `${countryMeta.description} Any two characters are accepted; nothing ships to a country that does not exist.`,
    }),
  builderOptions: smallFreeForm.optional().meta(optionsMeta),
  contextData: smallFreeForm.optional().meta(contextMeta),
  stepUrls: stepUrls.max(FUNNEL_STEPS_MAX).optional().meta(stepUrlsMeta),
})
export type NewPreviewSession = z.output<typeof newPreviewSession>

const sessionId = idOf('funnelSession', 'The session.')
const funnelId = idOf('funnel', 'The funnel.')
const customerId = idOf('customer', 'The customer.')
const stepId = idOf('funnelStep', 'The step.')
const anyObject = z.record(z.string(), z.unknown())
const epochMs = z.int().meta({ examples: [1_795_167_000_000] })

/** A new preview. `token` is returned only here. */
export const previewSession = z
  .object({
    sessionId,
    funnelId,
    stepId: stepId.meta({ description: 'The step that the preview starts at.' }),
    token: z.string().meta({
      description: 'Gives the previewed page access to the session, for one hour.',
      examples: ['fstok_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
    customerId: customerId.meta({
      description: 'The customer that was named, otherwise the anonymous customer created for the preview.',
    }),
  })
  .meta({ id: 'PreviewSession' })

/** The body of `POST /api/funnels/v1/previews/{sessionId}`. */
export const previewUpdate = z.object({
  threeds: threedsPreset.nullable().optional().meta(threedsMeta),
  builderOptions: smallFreeForm.optional().meta(optionsMeta),
})

/** The options of a preview; `null` for those that were not set. */
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
    stepUrls: stepUrls.meta(stepUrlsMeta),
  })
  .meta({ id: 'PreviewOptions' })

/**
 * A buyer's session in a funnel. Source: reference, "Funnel session"; `funnelVariantId` and `preview` are additions.
 */
export const funnelSession = z
  .object({
    sessionId,
    customerId: customerId.meta({ description: 'The session’s customer.' }),
    storeId: idOf('store', 'The store.'),
    funnelId,
    funnelVariantId: z
      .string()
      .nullable()
      .meta({
        description: 'The variant of the funnel; null if it has none.',
        examples: [exampleId('funnelVariant')],
      }),
    currentStepId: stepId.meta({ description: 'The buyer’s current step.' }),
    furthestStepId: stepId.meta({ description: 'How far the buyer has progressed.' }),
    environment,
    startedAt: epochMs.meta({ description: 'When it started, in milliseconds since 1970.' }),
    lastActivityAt: epochMs.meta({ description: 'The buyer’s last activity, in milliseconds since 1970.' }),
    originalCustomerId: customerId.meta({
      description: 'The anonymous customer it started with, to whom everything entered and paid in it belongs.',
    }),
    customerHistory: z
      .array(
        z.object({
          fromCustomerId: customerId.meta({ description: 'The previous customer.' }),
          toCustomerId: customerId.meta({ description: 'The new customer.' }),
          reason: z.string().meta({
            description:
              '`preview`: a preview was started for a named customer; `handed_over`: another page took the session over.',
            examples: ['preview'],
          }),
          timestamp: epochMs.meta({ description: 'When it changed, in milliseconds since 1970.' }),
        }),
      )
      .meta({
        description:
          'How the session’s customer changed, oldest first. Contact details entered in a page never change the customer.',
      }),
    metadata: z
      .object({
        startedAt: timestamp.meta({ description: 'When it started.', examples: ['2026-11-20T09:30:00.000Z'] }),
        totalStepsVisited: z.int().meta({ description: 'The number of steps viewed.', examples: [1] }),
        cmsSessionId: idOf(
          'funnelSession',
          'The session’s id in the page builder; its own id if it was not started by one.',
        ),
        accountId: idOf('account', 'The account.'),
        isPreview: z
          .boolean()
          .meta({ description: 'Whether the session is a preview, which sells nothing.', examples: [true] }),
      })
      .meta({ description: 'Metadata of the session.' }),
    resources: z
      .object({
        customer: z
          .object({ id: customerId.meta({ description: 'The session’s customer.' }) })
          .meta({ description: 'The customer.' }),
      })
      .meta({ description: 'Data collected in the session.' }),
    preview: previewOptions.nullable().meta({ description: 'The options of a preview; null for a buyer’s session.' }),
  })
  .meta({ id: 'FunnelSession' })
export type FunnelSession = z.infer<typeof funnelSession>
