import type { TestCardPreset } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import { z } from 'zod'

/** The plugin's file of scenarios, next to its manifest. */
export const SCENARIOS_FILE = 'scenarios.json'

/** The cards of the platform's simulator that a scenario may call by a name. */
export const scenarioCards = {
  success: '4242424242424242',
  success_mastercard: '5555555555554444',
  success_amex: '378282246310005',
  declined: '4000000000000002',
  insufficient_funds: '4000000000009995',
  lost_card: '4000000000009987',
  stolen_card: '4000000000009979',
  expired_card: '4000000000000069',
  incorrect_cvc: '4000000000000127',
  processing_error: '4000000000000119',
  threeds: '4000002760003184',
} as const
type ScenarioCard = keyof typeof scenarioCards

/** The presets of a preview session that stand for a card: with one the payment ends so whatever card is typed. */
const cardPresets: Readonly<Record<string, TestCardPreset>> = {
  '4242424242424242': 'network1_success',
  '5555555555554444': 'network2_success',
  '378282246310005': 'network3_success',
  '4000000000000002': 'network1_declined',
  '4000000000009995': 'network1_insufficient',
  '4000002500003155': 'network1_3ds',
  '4000002760003184': 'network1_3ds',
}

/** The number of a scenario's card, which may be named. */
export function cardNumber(card: string): string {
  return Object.hasOwn(scenarioCards, card) ? scenarioCards[card as ScenarioCard] : card
}

/** The preset that makes a preview's payment end as with this card; `undefined` for a card that has to be typed. */
export function presetOfCard(card: string): TestCardPreset | undefined {
  return cardPresets[cardNumber(card)]
}

/** The maximum number of scenarios. */
const SCENARIOS_MAX = 50
/** A window that a browser can have. */
const VIEWPORT_MAX_PX = 4_096

const cardNames = Object.keys(scenarioCards) as [ScenarioCard, ...ScenarioCard[]] // the keys of a literal

const noCard = `must be ${cardNames.map((name) => `"${name}"`).join(', ')}, or the number of a test card`

const text = z.string().min(1).max(100)

const lineSchema = z.strictObject({
  variantId: text.meta({ description: 'The variant of a product to buy.', examples: ['variant_tote'] }),
  quantity: z
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .meta({ description: 'How many of it; one unless given.', examples: [2] }),
})

const viewportSchema = z.union(
  [
    z.enum(['phone', 'desktop']),
    z.strictObject({
      width: z
        .int()
        .min(1)
        .max(VIEWPORT_MAX_PX)
        .meta({ description: 'In CSS pixels.', examples: [390] }),
      height: z
        .int()
        .min(1)
        .max(VIEWPORT_MAX_PX)
        .meta({ description: 'In CSS pixels.', examples: [844] }),
    }),
  ],
  'must be "phone", "desktop", or an object with width and height',
)

/** One situation to see a plugin in. All but its name may be left out. */
export const scenarioSchema = z.strictObject({
  name: text.meta({ description: 'What it is called; no two have the same.', examples: ['Declined card'] }),
  page: text
    .optional()
    .meta({ description: 'The id of the page to open; the default page unless given.', examples: ['checkout'] }),
  params: z
    .record(z.string().max(64), z.string().max(255))
    .optional()
    .meta({ description: 'What stands for the parameters of the page’s path.', examples: [{ orderId: 'order_1' }] }),
  preset: text
    .optional()
    .meta({ description: 'The preset whose settings the page has; the default one unless given.', examples: ['dark'] }),
  card: z
    .union([z.enum(cardNames), z.string().regex(/^\d{12,19}$/, noCard)], noCard)
    .optional()
    .meta({
      description: 'The card to pay with: a number of the simulator’s table, or its name.',
      examples: ['declined'],
    }),
  threeds: z
    .enum(['frictionless', 'challenge', 'fail', 'none'])
    .optional()
    .meta({
      description: 'How the next payment is authenticated, whatever the card; with `none` it is not.',
      examples: ['challenge'],
    }),
  until: z
    .enum(['paid', 'declined', 'challenge'])
    .optional()
    .meta({
      description:
        'Pays, and is seen when the payment is there: `paid`, `declined`, or `challenge` while the bank asks for a code.',
      examples: ['paid'],
    }),
  fields: z
    .record(z.string().max(64), z.string().max(255))
    .optional()
    .meta({
      description: 'What is typed into fields of the page before it pays, by their `name`, `id` or `autocomplete`.',
      examples: [{ email: 'ada@example.com' }],
    }),
  payButton: text.optional().meta({ description: 'The text of the button that pays.', examples: ['Pay now'] }),
  mask: z
    .array(text)
    .max(20)
    .optional()
    .meta({
      description:
        'CSS selectors of elements that differ each time, such as an order’s number; painted over in the screenshot.',
      examples: [['.order-number']],
    }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as "EUR"')
    .optional()
    .meta({ description: 'The currency of the order, ISO 4217.', examples: ['EUR'] }),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 tag, such as "de-DE"')
    .optional()
    .meta({ description: 'The language of the page, BCP 47.', examples: ['de-DE'] }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code, such as "DE"')
    .optional()
    .meta({ description: 'Where goods are shipped to, ISO 3166-1 alpha-2.', examples: ['DE'] }),
  viewport: viewportSchema
    .optional()
    .meta({ description: 'The size of the window; that of a desktop unless given.', examples: ['phone'] }),
  lines: z
    .array(lineSchema)
    .max(100)
    .optional()
    .meta({
      description: 'What the order begins with; one piece of the demo product unless given.',
      examples: [[{ variantId: 'variant_tote', quantity: 2 }]],
    }),
})
export type Scenario = z.output<typeof scenarioSchema>

/** The card that leads to an outcome. */
const cardsByOutcome = { paid: 'success', declined: 'declined', challenge: 'threeds' } as const

/** A scenario with the card that leads where it is to pay until, if it names none. */
export function withOutcomeCard(scenario: Scenario): Scenario {
  const { until, card, threeds } = scenario
  if (until === undefined) return scenario
  const asks = until === 'challenge' ? (threeds ?? 'challenge') : threeds
  return { ...scenario, card: card ?? cardsByOutcome[until], ...(asks !== undefined && { threeds: asks }) }
}

/** The whole of `scenarios.json`. */
export const scenariosFile = z.strictObject({
  $schema: z.string().max(255).optional().meta({ description: 'The address of the schema, for editors.' }),
  scenarios: z
    .array(scenarioSchema)
    .min(1)
    .max(SCENARIOS_MAX)
    .superRefine((scenarios, context) => {
      const seen = new Set<string>()
      for (const [index, { name }] of scenarios.entries()) {
        if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'must be unique' })
        seen.add(name)
      }
    })
    .meta({ description: 'The scenarios, in the order in which keys and lists have them.' }),
})

/** The JSON Schema (draft-07) of `scenarios.json`, for editors. */
export function scenariosSchema(): z.core.JSONSchema.BaseSchema {
  return {
    ...z.toJSONSchema(scenariosFile, { target: 'draft-7', io: 'input' }),
    title: 'Scenarios of a Tillwright plugin',
  }
}

/** The size of a window, in CSS pixels. */
export interface Viewport {
  width: number
  height: number
}

/** The windows that have a name. */
export const viewports = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
} as const satisfies Record<string, Viewport>

/** The window of a scenario; a desktop's unless it says otherwise. */
export function viewportOf({ viewport = 'desktop' }: Pick<Scenario, 'viewport'>): Viewport {
  return typeof viewport === 'string' ? viewports[viewport] : viewport
}

/** The settings of a scenario's preset, else of the plugin's default one; none if there is neither. */
export function settingsOf(
  { presets, defaultPreset }: Plugin['configuration'],
  { preset }: Pick<Scenario, 'preset'>,
): Readonly<Record<string, unknown>> {
  return presets[preset ?? defaultPreset ?? ''] ?? {}
}
