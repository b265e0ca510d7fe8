import type { Client } from '@tillwright/client'
import type { Product } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import type { Content } from '@tillwright/plugin-publish'
import { CommandFailed } from '../terminal/fail-with.ts'
import { isInteractive } from '../terminal/interaction.ts'
import { showAmount } from '../terminal/show-amount.ts'

/** A variant of a store's product, as buyers see it. */
export interface Offer {
  variantId: string
  name: string
  /** The default price in minor units, by currency. */
  amounts: Readonly<Record<string, number>>
  /** How often that is charged; `null` for once. */
  every: { interval: string; count: number } | null
}

/** The product that a page sells, and where that was decided. */
export interface Sale {
  /** The setting that names the product: a property whose schema has the format `variant`. */
  setting: string
  /** `null` if the page sells nothing, or something that the store does not have. */
  offer: Offer | null
  /** The value of the setting after publishing. */
  variantId: string
  source: 'option' | 'setting' | 'step' | 'picked' | 'asked' | 'none'
  /** Edits of presets that publishing makes. */
  presets: Record<string, Record<string, unknown>>
  /** Why publishing refuses, if it has to be told what to sell. */
  refusal: string | null
}

/** Where a plugin is published, and what is known of its settings there. */
export interface SaleContext {
  client: Client
  storeId: string
  signal: AbortSignal
  environment: string
  /** The deployment whose settings the published one starts with. */
  settingsOf: string | null
  /** `--variant`. */
  variant: string | undefined
  /** Whether only to say what publishing would do, and to ask nothing. */
  isDryRun: boolean
}

/**
 * Finds the product that a plugin's page will sell, or chooses one: a step of a funnel decides first, then `--variant`,
 * then the store's settings, then the author's. Where none does, the user is asked; without a terminal it is the store's
 * only product, or its oldest outside production. `null` for a plugin without such a setting.
 *
 * @throws {CommandFailed} `usage`, for `--variant` where there is no setting for it, or no such product.
 */
export async function findSale(content: Content, context: SaleContext): Promise<Sale | null> {
  const setting = productSetting(content.settings.schema)
  if (setting === null) {
    if (context.variant === undefined) return null
    throw new CommandFailed('--variant: the plugin has no setting of the format "variant" in its schema.', 'usage')
  }
  const offers = await listOffers(context)
  if (offers === null) return null
  const presets = await shownPresets(content, context)
  const inSetting = textIn(presets.shown[setting.key])
  const ofStep = await variantOfStep(content.pluginId, setting.key, context)
  const sale = { setting: setting.key, presets: {}, refusal: null }
  const known = (variantId: string) => offers.find((each) => each.variantId === variantId) ?? null
  if (context.variant !== undefined) {
    const offer = known(context.variant)
    if (offer === null) throw unknownVariant(context.variant, offers)
    return { ...sale, ...chosen(offer, setting.key, presets), source: 'option' }
  }
  if (ofStep !== '') return { ...sale, variantId: ofStep, offer: known(ofStep), source: 'step' }
  if (inSetting !== '') return { ...sale, variantId: inSetting, offer: known(inSetting), source: 'setting' }
  const nothing: Sale = { ...sale, variantId: '', offer: null, source: 'none' }
  if (!setting.isRequired || offers.length === 0) return nothing
  if (willAsk(offers, context)) return { ...nothing, source: 'asked' }
  const picked = await pick(offers, context)
  if (picked === null) return { ...nothing, refusal: whichProduct(offers) }
  return { ...sale, ...chosen(picked, setting.key, presets), source: 'picked' }
}

/** The first property of the format `variant`; an empty one is filled if the setting is required. */
function productSetting(schema: Content['settings']['schema']): { key: string; isRequired: boolean } | null {
  const { properties, required } = Object(schema)
  for (const [key, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(property) || property['format'] !== 'variant') continue
    return { key, isRequired: Array.isArray(required) && required.includes(key) }
  }
  return null
}

interface Presets {
  /** All presets of the deployment to publish, by name. */
  all: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  shown: Readonly<Record<string, unknown>>
}

/** The presets as the store will have them: its own values, then the author's. */
async function shownPresets(
  { settings, manifest }: Content,
  { client, settingsOf, signal }: SaleContext,
): Promise<Presets> {
  const live =
    settingsOf === null ? null : await client.pluginManagement.settings({ deploymentId: settingsOf }, { signal })
  const all = { ...settings.presets, ...live?.presets }
  const names = [live?.activePreset, manifest.defaultPreset, 'default', Object.keys(all)[0]]
  const name = names.find((each) => each != null && Object.hasOwn(all, each)) ?? ''
  return { all, shown: all[name] ?? {} }
}

/** The choice, in every preset that has the setting. */
function chosen(offer: Offer, key: string, { all }: Presets) {
  const edited = Object.entries(all).filter(
    ([, preset]) => Object.hasOwn(preset, key) && preset[key] !== offer.variantId,
  )
  const presets = Object.fromEntries(edited.map(([name]) => [name, { [key]: offer.variantId }]))
  return { variantId: offer.variantId, offer, presets }
}

/** The product that an active funnel's step gives the plugin's page in its own settings, or ''. */
async function variantOfStep(pluginId: string, key: string, { client, storeId, signal }: SaleContext): Promise<string> {
  const { data } = await client.funnels.list({ storeId, limit: 100 }, { signal }).catch(noneIfForbidden)
  const steps = data.filter(({ active }) => active).flatMap((funnel) => funnel.steps)
  const settings = steps.filter((step) => step.pluginId === pluginId).map((step) => textIn(step.settings[key]))
  return settings.find((variantId) => variantId !== '') ?? ''
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The store's products on sale, oldest first; `null` if the key may not read it. */
async function listOffers({ client, storeId, signal }: SaleContext): Promise<Offer[] | null> {
  const offers: Offer[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = { storeId, limit: 100, ...(after !== undefined && { after }) }
    const page = await client.products.list(query, { signal }).catch(noneIfForbidden)
    if ('isForbidden' in page) return null
    offers.push(...page.data.flatMap(offersOf))
    after = page.nextCursor
  }
  return offers.toReversed()
}

/** A key that may publish need not be allowed to read products and funnels. */
function noneIfForbidden(error: unknown): { data: never[]; nextCursor: null; isForbidden: true } {
  if (Object(error).status === 403) return { data: [], nextCursor: null, isForbidden: true }
  throw error
}

function offersOf({ name, active, variants }: Product): Offer[] {
  const sold = variants.filter((variant) => active && variant.active)
  return sold.map((variant) => {
    const price = variant.prices.find((each) => each.default) ?? variant.prices[0]
    const amounts = Object.entries(price?.currencyOptions ?? {}).map(([code, { amount }]) => [code, amount] as const)
    const isOnly = variants.length === 1 || variant.name === name
    return {
      variantId: variant.id,
      name: isOnly ? name : `${name}, ${variant.name}`,
      amounts: Object.fromEntries(amounts),
      every: price?.interval == null ? null : { interval: price.interval, count: price.intervalCount },
    }
  })
}

function willAsk(offers: readonly Offer[], { isDryRun }: SaleContext): boolean {
  return isDryRun && offers.length > 1 && isInteractive()
}

async function pick(offers: readonly Offer[], { environment }: SaleContext): Promise<Offer | null> {
  const [first = null, ...others] = offers
  if (others.length === 0) return first
  if (isInteractive()) return ask(offers)
  return environment === 'production' ? null : first
}

async function ask(offers: readonly Offer[]): Promise<Offer> {
  const { isCancel, select } = await import('@clack/prompts')
  const options = offers.map((value) => ({ value, label: value.name, hint: showPrice(value) }))
  const answer = await select({ message: 'What does the page sell?', options, output: process.stderr })
  if (isCancel(answer)) throw new CommandFailed('Nothing was done.', 'unconfirmed')
  return answer
}

/** How many products a message lists. */
const LISTED = 5

function whichProduct(offers: readonly Offer[]): string {
  return `The page has nothing to sell: name a product with --variant. The store has ${listed(offers)}.`
}

function unknownVariant(variantId: string, offers: readonly Offer[]): CommandFailed {
  const has = offers.length === 0 ? 'no products' : listed(offers)
  return new CommandFailed(`--variant: the store does not sell ${variantId}; it has ${has}.`, 'usage')
}

function listed(offers: readonly Offer[]): string {
  const names = offers.slice(0, LISTED).map((offer) => `${offer.variantId} (${offer.name}, ${showPrice(offer)})`)
  return `${names.join(', ')}${offers.length > LISTED ? ` and ${offers.length - LISTED} more` : ''}`
}

/** The price of a product in each of its currencies: `24.00 USD, 22.00 EUR`, `24.00 USD every 3 months`. */
function showPrice({ amounts, every }: Offer): string {
  const prices = Object.entries(amounts).map(([code, amount]) => `${showAmount(amount, code)} ${code}`)
  if (prices.length === 0) return 'no price'
  if (every === null) return prices.join(', ')
  return `${prices.join(', ')} every ${every.count === 1 ? every.interval : `${every.count} ${every.interval}s`}`
}

/** The product of a page, in one line. */
export function showSale({ offer, variantId, setting, source }: Sale): string {
  if (source === 'asked') return 'Sells    publishing asks which product; --variant names it\n'
  if (source === 'none') {
    return 'Sells    nothing: name a product of the store with --variant\n'
  }
  if (offer === null)
    return `Sells    ${variantId}, which the store does not have: publish with --variant to change ${setting}\n`
  const from = { option: '--variant', setting, step: 'the step of a funnel', picked: 'picked; --variant names another' }
  return `Sells    ${offer.name} for ${showPrice(offer)} (${from[source]})\n`
}
