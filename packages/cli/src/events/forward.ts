import { performance } from 'node:perf_hooks'
import type { Environment, Event } from '@tillwright/contract'
import { signForwarded } from './sign-forwarded.ts'

/** Where events are forwarded to, and how they are signed. */
export interface Receiver {
  url: string
  /** `whsec_...`. */
  secret: string
  environment: Environment
}

/** What a receiver said: its status, `null` where it took longer than the platform waits. */
export interface Receipt {
  status: number | null
  ms: number
}

/** A receiver that is not there, and why. */
export interface Away {
  away: string
}

/** As long as the platform waits for an endpoint. */
const TIMEOUT_MS = 15_000

/**
 * Sends an event to a receiver once, exactly as the platform would: the same body, the same headers, redirects not
 * followed.
 *
 * @throws The reason of `signal` when that is aborted.
 */
export async function forward(event: Event, receiver: Receiver, signal: AbortSignal): Promise<Receipt | Away> {
  const { url, secret, environment } = receiver
  const { body, headers } = signForwarded(event, { environment, secret, nowMs: Date.now() })
  const startMs = performance.now()
  const spentMs = () => Math.round(performance.now() - startMs)
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: until })
    await response.body?.cancel()
    return { status: response.status, ms: spentMs() }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && error.name === 'TimeoutError') return { status: null, ms: spentMs() }
    return { away: reasonOf(error) }
  }
}

/** `fetch` tells what happened in the error's cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error instanceof Error ? error.message : String(error)
}
