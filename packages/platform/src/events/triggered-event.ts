import { isObject } from '@tillwright/contract/json'
import {
  eventTypes,
  exampleProperties,
  type EventProperties,
  type EventTrigger,
  type TriggeredEvent,
} from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Call, Write } from '../call.ts'
import { emit } from './emit.ts'

/**
 * A draft event of the type, whose properties are the type's example with the given ones put over it.
 *
 * @throws {ApiError} For a property that the type does not have, or a value that it cannot have.
 */
export function triggeredEvent(
  { eventType, properties = {} }: EventTrigger,
  call: Call,
): { event: TriggeredEvent; writes: Write[] } {
  const told = checked(eventType, overlaid(exampleProperties(eventType), properties))
  const id = call.newId('evt')
  const createdAt = new Date(call.nowMs).toISOString()
  const event = {
    id,
    accountId: call.caller.accountId,
    storeId: null,
    customerId: null,
    eventType,
    properties: told,
    draft: true,
    createdAt,
  }
  return { event, writes: emit(eventType, { properties: told, draft: true }, { ...call, newId: () => id }) }
}

/** Objects are put over objects name by name; anything else takes the place of what was there. */
function overlaid(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(over).map(([name, value]) => {
    const below = Object.hasOwn(base, name) ? base[name] : undefined
    return [name, isObject(below) && isObject(value) ? overlaid(below, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(merged) }
}

function checked(type: EventTrigger['eventType'], properties: Record<string, unknown>): EventProperties<typeof type> {
  const result = eventTypes[type].strict().safeParse(properties)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const param = ['properties', ...(issue?.path ?? []), ...unknown].join('.')
  const problem =
    unknown.length > 0 ? `is no property of ${type}: leave it out` : `does not fit ${type}: ${issue?.message}`
  throw new ApiError('parameter_invalid', `${param} ${problem}.`, { param })
}
