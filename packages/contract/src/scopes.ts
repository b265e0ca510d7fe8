/** The resources that scopes apply to. */
const scopedResources = [
  'stores',
  'products',
  'promotions',
  'customers',
  'privacy',
  'payment-flows',
  'payment-instruments',
  'payments',
  'refunds',
  'orders',
  'subscriptions',
  'threeds',
  'funnels',
  'plugins',
] as const

/** The resources that a key needs the role org:admin for; a member has them by scope. */
const administeredResources = ['account', 'processors', 'events', 'hooks', 'members', 'keys'] as const

/**
 * The permission that a key without org:admin, or a member, needs for an operation: `<resource>:read` or
 * `<resource>:write`. An operation for org:admin has a scope for members, and no key gets it by the scope. The audit log
 * and the log of requests can only be read. `platform:read` is of the platform's operator alone, whose keys may be given it
 * by name.
 */
export type Scope =
  | `${(typeof scopedResources | typeof administeredResources)[number]}:${'read' | 'write'}`
  | 'audit:read'
  | 'platform:read'
  | 'requests:read'

const readAndWrite = (resource: (typeof scopedResources | typeof administeredResources)[number]): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
]

/** All scopes that a key can have. Neither scope of a resource implies the other. */
export const scopes: readonly Scope[] = [
  ...scopedResources.flatMap(readAndWrite),
  'audit:read',
  'requests:read',
  'platform:read',
]

/** All scopes that a member can have. */
export const memberScopes: readonly Scope[] = [...scopes, ...administeredResources.flatMap(readAndWrite)]
