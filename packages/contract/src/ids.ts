import { z } from 'zod'

/** What each kind of id begins with; `_` and 22 base62 characters follow. */
export const idPrefixes = {
  account: 'acc',
  apiKey: 'key',
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
  order: 'order',
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
  variant: 'variant',
  void: 'void',
  webhookEndpoint: 'whe',
} as const

/** The part of an id before its `_`. */
export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes]

/** What follows the prefix in every example: 22 base62 characters, the first 8 of them a time. */
const EXAMPLE_TAIL = '0VbVJmlc4sQm9ZtKcWfH2d'

/**
 * An id that names an existing object of the account. Its form is not checked: what cannot exist is simply not found
 * (404). The mark tells tools, and the test that tries the ids of other accounts, which fields refer to something.
 */
export const reference = z.string().min(1).max(128).meta({ 'x-reference': true })

/** A field of a request that names an object of the kind. */
export function referenceTo(kind: keyof typeof idPrefixes, description: string) {
  return reference.meta({ description, examples: [exampleId(kind)] })
}

/** A field of an answer that holds the id of an object of the kind. */
export function idOf(kind: keyof typeof idPrefixes, description: string) {
  return z.string().meta({ description, examples: [exampleId(kind)] })
}

/** An id of the kind, for the examples of the reference page. */
export function exampleId(kind: keyof typeof idPrefixes): string {
  return `${idPrefixes[kind]}_${EXAMPLE_TAIL}`
}

/** An id that the caller brings for a new object: 1 to 64 letters, digits, `_` and `-`. */
export const ownId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
  .meta({ minLength: 1, maxLength: 64 })
