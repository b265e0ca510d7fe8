import { z } from 'zod'
import { eventTypes, type EventType } from './event-types.ts'
import { exampleOf } from './example-of.ts'

/** The `properties` of an event of the type, as the reference shows them: plausible values of nothing that exists. */
export function exampleProperties(type: EventType): Record<string, unknown> {
  const { shape } = eventTypes[type]
  return Object.fromEntries(
    Object.entries<z.ZodType>(shape).map(([name, field]) => [
      name,
      exampleOf(z.toJSONSchema(field, { unrepresentable: 'any' })),
    ]),
  )
}
