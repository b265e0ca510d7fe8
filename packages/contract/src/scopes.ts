/** What a key's scopes are about. */
const scopedResources = [
  'stores',
  'products',
  'promotions',
  'payment-flows',
  'payment-instruments',
  'payments',
  'orders',
  'subscriptions',
  'threeds',
  'funnels',
  'plugins',
] as const

/** What a key without org:admin needs for an operation: `<resource>:read` or `<resource>:write`. */
export type Scope = `${(typeof scopedResources)[number]}:${'read' | 'write'}`

/** Every scope that a key can be given. Neither of a resource's two implies the other. */
export const scopes: readonly Scope[] = scopedResources.flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
])
