import type { Answer } from './egress.ts'

/** How many tries of a delivery are kept: as many as there are without a replay. */
const TRIES_KEPT = 10

/** One try of a delivery. Either `status` or `failure` says what came of it. */
export interface DeliveryTry {
  /** ISO 8601: when it began. */
  at: string
  /** How long it took, in milliseconds. */
  ms: number
  /** The status of the receiver's answer; `null` when there was none. */
  status: number | null
  /** Why there was no answer. */
  failure: string | null
}

/** A try as it is kept. */
export function deliveryTry(answer: Answer, { startMs, endMs }: { startMs: number; endMs: number }): DeliveryTry {
  const at = new Date(startMs).toISOString()
  const ms = endMs - startMs
  return 'status' in answer
    ? { at, ms, status: answer.status, failure: null }
    : { at, ms, status: null, failure: answer.failure }
}

/** @param column As a delivery's row has it: JSON written by `withTry`. */
export function triesOf(column: string): DeliveryTry[] {
  return JSON.parse(column)
}

/** The column with one more try, and without those that are too many. */
export function withTry(column: string, next: DeliveryTry): string {
  return JSON.stringify([...triesOf(column), next].slice(-TRIES_KEPT))
}
