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
  event: 'evt',
  funnel: 'funnel',
  funnelSession: 'fsn',
  funnelStep: 'step',
  funnelVariant: 'fvar',
  member: 'mem',
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
