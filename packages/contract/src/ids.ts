import { z } from 'zod'

/** The prefix of each kind of id; `_` and 22 base62 characters follow. */
export const idPrefixes = {
  account: 'acc',
  apiKey: 'key',
  auditEntry: 'aud',
  capture: 'cap',
  card: 'card',
  customer: 'cus',
  deployment: 'dep',
  dispute: 'dispute',
  erasure: 'era',
  event: 'evt',
  funnel: 'funnel',
  funnelSession: 'fsn',
  funnelStep: 'step',
  funnelVariant: 'fvar',
  hook: 'hook',
  member: 'mem',
  memberIdentity: 'idn',
  memberSession: 'ses',
  order: 'order',
  passkey: 'psk',
  payment: 'pay',
  paymentAttempt: 'att',
  paymentFlow: 'flow',
  paymentInstrument: 'pi',
  plugin: 'plugin',
  price: 'price',
  processor: 'processor',
  product: 'product',
  promotion: 'promo',
  refund: 're',
  refundRequest: 'rfr',
  request: 'req',
  route: 'route',
  shippingOption: 'ship',
  store: 'store',
  subscription: 'sub',
  threedsSession: 'threeds',
  threedsSessionOfVendorB: '3ds',
  usageRecord: 'usage',
  variant: 'variant',
  void: 'void',
  webhookEndpoint: 'whe',
} as const

/** The part of an id before its `_`. */
export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes]

/** In ASCII order, so that ids sort by creation time. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TIME_CHARS = 8

/** No id is created after this time, in milliseconds: the last midnight that 8 characters can represent. */
export const IDS_END_MS = 62 ** TIME_CHARS - (62 ** TIME_CHARS % 86_400_000)

/**
 * Returns a lower bound for ids created from this time on: ids created earlier are smaller.
 *
 * @param timeMs Milliseconds since the Unix epoch, clamped to the range in which ids can be created.
 */
export function idsFrom(prefix: IdPrefix, timeMs: number): string {
  let text = ''
  const clamped = Math.min(Math.max(timeMs, 0), IDS_END_MS)
  for (let rest = clamped; text.length < TIME_CHARS; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return `${prefix}_${text}`
}

/** Returns when an id was created, in milliseconds since the Unix epoch; `null` for what does not begin as an id. */
export function timeOfId(id: string): number | null {
  const [, time] = /^[a-z0-9]+_([0-9A-Za-z]{8})/.exec(id) ?? []
  return time === undefined ? null : [...time].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)
}

/** The part after the prefix in examples: 22 base62 characters, the first 8 of them a time. */
const EXAMPLE_TAIL = '0VbVJmlc4sQm9ZtKcWfH2d'

/**
 * The id of an existing object of the account. Its format is not validated: an impossible id is simply not found (404).
 * The `x-reference` mark shows tools which fields are references, including the test that tries ids of other accounts.
 */
export const reference = z.string().min(1).max(128).meta({ 'x-reference': true })

/** A request field that refers to an object of this kind. */
export function referenceTo(kind: keyof typeof idPrefixes, description: string) {
  return reference.meta({ description, examples: [exampleId(kind)] })
}

/** A response field with the id of an object of this kind. */
export function idOf(kind: keyof typeof idPrefixes, description: string) {
  return z.string().meta({ description, examples: [exampleId(kind)] })
}

/** An example id of this kind, for the reference page. */
export function exampleId(kind: keyof typeof idPrefixes): string {
  return `${idPrefixes[kind]}_${EXAMPLE_TAIL}`
}

/** An id chosen by the caller for a new object: 1 to 64 letters, digits, `_` and `-`. */
export const ownId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
  .meta({ minLength: 1, maxLength: 64 })
