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

/**
 * Whether a capture, refund or void was asked for here, by its reference: then that is our id of one. One that was made at
 * the processor has a reference that somebody has typed, such as an order's, or that of its payment, the id of the attempt.
 */
export function isAskedHere(reference: string): boolean {
  return OUR_ID.test(reference)
}

const OUR_ID = /^(?:cap|re|void)_[0-9A-Za-z]{22}$/
