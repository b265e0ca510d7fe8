import { byteOperations, contract, type Operation } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import type { Change, Reply, RequestContext, Write } from '../request-context.ts'
import { record } from './record.ts'

/** An operation that has changed something. */
export interface AuditedCall {
  operation: Operation
  request: { params?: unknown; body?: unknown }
  /** The handler's answer; `null` for changes committed before it answers. */
  reply: Reply<unknown> | null
  /** The change as the handler reports it. */
  change?: Change | undefined
  /** The status of the answer. */
  status?: number
}

/**
 * Returns the statements that record what a request has changed: who, from where, which operation, on which resource,
 * and what it was before and after. All operations are recorded here, and none records itself.
 */
export function recordCall(call: AuditedCall, context: RequestContext): Write[] {
  const { change, status } = call
  const { caller, address, browserHeaders, requestId } = context
  const operation = operationName(call.operation)
  const resource = change?.resource ?? resourceOf(operation, call, context)
  // With a publishable key anyone's browser calls: where it did is a person's, whom no erasure could find.
  const isNobodys = caller.kind === 'publishable'
  return record(
    {
      accountId: caller.accountId,
      actor: caller.actor,
      operation,
      resource,
      address: isNobodys ? null : address,
      userAgent: isNobodys ? undefined : browserHeaders?.userAgent,
      requestId,
      ...(status !== undefined && { status }),
      before: change?.before,
      after: change?.after ?? afterOf(call, resource.type),
    },
    context,
  )
}

/** The resource as a reply shows it, or the error of a refusal. */
export function contentOf(reply: Reply<unknown>): unknown {
  if ('failure' in reply) return { error: reply.failure.code, ...paymentFailure(reply.failure) }
  return 'body' in reply ? withoutSentence(reply.body) : undefined
}

/** Older operations say in a sentence that they succeeded, which the entry says by being there. */
function withoutSentence(body: unknown): unknown {
  if (!isObject(body)) return body
  const { success, message, ...content } = body
  return success === true && typeof message === 'string' ? content : body
}

/** A page's view of its session is large and says little of what was done; what was asked for does. */
function afterOf({ operation, request, reply }: AuditedCall, type: string): unknown {
  if (reply !== null && 'failure' in reply) return contentOf(reply)
  const isPages = operation.audience === 'session' || operation.audience === 'page' || operation.audience === 'frame'
  if (reply === null || (isPages && type !== 'payment')) return request.body
  return contentOf(reply)
}

function paymentFailure({ details: { declineCode } }: { details: { declineCode?: string } }) {
  return declineCode === undefined ? {} : { declineCode }
}

/** Operations by their names in the contract, such as `products.create`. */
const names = new Map<Operation, string>(
  [contract, byteOperations].flatMap((table) =>
    Object.entries<Record<string, Operation>>(table).flatMap(([group, named]) =>
      Object.entries(named).map(([name, operation]) => [operation, `${group}.${name}`] as const),
    ),
  ),
)

/** The name of an operation in the log. */
export function operationName(operation: Operation): string {
  return names.get(operation) ?? `${operation.method} ${operation.path}`
}

/** The type of resource that a group of operations is about, where it is not the group's name in the singular. */
const typesOfGroups: Readonly<Record<string, string>> = {
  shippingOptions: 'store',
  funnelSessions: 'funnelSession',
  threeds: 'threedsSession',
  threedsFrame: 'threedsSession',
  eventLog: 'event',
  plugins: 'deployment',
  pluginManagement: 'deployment',
  session: 'funnelSession',
  recoveries: 'subscription',
  vault: 'card',
  me: 'member',
}

/** Operations on another type of resource than the rest of their group. */
const typesOfOperations: Readonly<Record<string, string>> = {
  'funnels.previewSession': 'funnelSession',
  'funnels.updatePreview': 'funnelSession',
  'plugins.uploadAsset': 'asset',
  'plugins.uploadAssets': 'asset',
  'plugins.promoteToCustomDomain': 'route',
  'pluginManagement.removeDomain': 'route',
  'pluginManagement.setAlias': 'alias',
  'pluginManagement.removeAlias': 'alias',
  'session.pay': 'payment',
  'session.continuePayment': 'payment',
  'vault.createSecurityCode': 'paymentInstrument',
}

function resourceOf(operation: string, call: AuditedCall, { caller }: RequestContext): Required<Change>['resource'] {
  const group = operation.slice(0, operation.indexOf('.'))
  const type = typesOfOperations[operation] ?? typesOfGroups[group] ?? group.replace(/s$/, '')
  const body = call.reply !== null && 'body' in call.reply ? call.reply.body : undefined
  const failed = call.reply !== null && 'failure' in call.reply ? call.reply.failure.details.paymentId : undefined
  const id = failed ?? idIn(type, call.request.params) ?? idIn(type, body) ?? idIn(type, call.request.body)
  return { type, id: id ?? ownResource(type, caller) }
}

/** The id of the caller's own resource: a page's session, a member's own record; `null` for any other. */
function ownResource(type: string, { sessionId, actor }: RequestContext['caller']): string | null {
  if (type === 'funnelSession') return sessionId ?? null
  return type === 'member' && actor.kind === 'member' ? actor.id : null
}

/**
 * The id of a resource, as requests and responses have it: `<type>Id`, the resource itself under its type's name, or `id`;
 * and for a list of ids with one member, that.
 */
function idIn(type: string, value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const ofSession = type.endsWith('Session')
    ? [value['sessionId'], isObject(value['session']) ? value['session']['sessionId'] : undefined]
    : []
  const list = value[`${type}Ids`]
  const inner = value[type]
  const candidates = [
    value[`${type}Id`],
    ...ofSession,
    idIn('', inner),
    Array.isArray(list) && list.length === 1 ? list[0] : undefined,
    value['id'],
    type === 'alias' ? value['name'] : value['sha256'],
  ]
  return candidates.find((candidate) => typeof candidate === 'string')
}
