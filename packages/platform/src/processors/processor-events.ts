import type { z } from 'zod'

/** An event's body as its schema has it; `null` for what is no such JSON. */
export function eventIn<Schema extends z.ZodType>(body: Buffer, schema: Schema): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(body.toString())).data ?? null
  } catch {
    return null
  }
}

/** By when a dispute has to be answered, from a date as a processor writes it; `null` where it names none. */
export function respondBy(date: string | null | undefined): string | null {
  const timeMs = Date.parse(date ?? '')
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString()
}
