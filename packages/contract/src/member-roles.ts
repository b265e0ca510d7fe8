import { z } from 'zod'
import type { Operation } from './operation.ts'
import { type MemberRole, memberRoles } from './resources/members.ts'
import { memberScopes, type Scope } from './scopes.ts'

/** Read scopes for look-ups. Exports of a customer's data and the platform's state are for fewer roles. */
const reading = memberScopes.filter(
  (scope) => scope.endsWith(':read') && scope !== 'privacy:read' && scope !== 'platform:read',
)

/**
 * The scopes of each role: the one table from which come what the API allows, what a menu shows, what a refusal says and
 * the table in apps/docs/pages/security/member-roles.md. A new scope is the owner's alone, and read by those who read everything, until it
 * is named here.
 */
export const scopesOfRole: Readonly<Record<MemberRole, readonly Scope[]>> = {
  owner: memberScopes,
  developer: [
    ...reading,
    'stores:write',
    'products:write',
    'payment-flows:write',
    'threeds:write',
    'funnels:write',
    'plugins:write',
    'events:write',
    'keys:write',
    'hooks:write',
  ],
  operations: [
    ...reading,
    'stores:write',
    'products:write',
    'promotions:write',
    'privacy:read',
    'privacy:write',
    'payment-flows:write',
    'payment-instruments:write',
    'payments:write',
    'refunds:write',
    'orders:write',
    'subscriptions:write',
    'threeds:write',
    'platform:read',
  ],
  support: [
    'stores:read',
    'products:read',
    'promotions:read',
    'customers:read',
    'payment-instruments:read',
    'payments:read',
    'refunds:read',
    'orders:read',
    'orders:write',
    'subscriptions:read',
    'subscriptions:write',
    'events:read',
  ],
  read_only: reading.filter((scope) => scope !== 'members:read' && scope !== 'requests:read'),
}

/** How a refusal and the console name a role. */
const roleNames: Readonly<Record<MemberRole, string>> = {
  owner: 'owner',
  developer: 'developer',
  operations: 'operations',
  support: 'support',
  read_only: 'read only',
}

/**
 * Whether a member of this role may call an operation of the API. An operation without a scope is about a key, a page or
 * a buyer, and no member's; one of the console without a scope is about the member, and every member's.
 */
export function roleAllows(role: MemberRole, { audience, scope }: Pick<Operation, 'audience' | 'scope'>): boolean {
  if (scope === undefined) return audience === 'console'
  return audience !== 'page' && audience !== 'session' && audience !== 'frame' && scopesOfRole[role].includes(scope)
}

/** The roles that have a scope, in words: "owner and operations". */
export function rolesWith(scope: Scope): string {
  const names = memberRoles.filter((role) => scopesOfRole[role].includes(scope)).map((role) => roleNames[role])
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** Fields of requests whose ids tell a store: that of the store itself, and those of objects that belong to one. */
export const storeFields = [
  'storeId',
  'productId',
  'targetProductId',
  'variantId',
  'targetVariantId',
  'priceId',
  'customerId',
  'paymentInstrumentId',
  'paymentId',
  'orderId',
  'erasureId',
  'refundId',
  'refundRequestId',
  'disputeId',
  'subscriptionId',
  'funnelId',
  'sessionId',
  'deploymentId',
  'promotionId',
  'endpointId',
  'eventId',
  'failedRequestId',
] as const

/**
 * Whether a member who is limited to stores may call an operation that the role allows: its requests can name something of a
 * store, or it is about the member. All others are about the whole account.
 */
export function canNameStore({ audience, params, query, body }: Operation): boolean {
  return (
    audience === 'console' || [params, query, body].some((part) => part !== undefined && fieldsOf(part).some(isOfStore))
  )
}

const isOfStore = (field: string) => storeFields.some((each) => each === field)

/** The names of all fields of a schema, those of objects within it among them. */
function fieldsOf(schema: z.ZodType): string[] {
  const names: string[] = []
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void names.push(...Object.keys(jsonSchema.properties ?? {})),
  })
  return names
}
