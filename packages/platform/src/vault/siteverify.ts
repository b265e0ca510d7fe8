import { z } from 'zod'
import type { Deliver } from '../events/index.ts'
import { ApiError, type Clock } from '../runtime/index.ts'

/**
 * Judges what a challenge gave to a buyer's browser.
 *
 * @throws {ApiError} `upstream_failed` when the verifier has not judged: then nothing is let through.
 */
export type VerifyChallenge = (response: string, address: string) => Promise<boolean>

/** A verifier, and the way to it. */
export interface Siteverify {
  url: string
  secret: string
  deliver: Deliver
  clock: Clock
}

/** How long a buyer waits for a verdict. */
const VERIFY_TIMEOUT_MS = 5_000

/**
 * Asks a verifier in the form that Cloudflare Turnstile, hCaptcha and reCAPTCHA have in common: a POST of `secret`,
 * `response` and `remoteip` as a form, answered by JSON with `success`. A response is good once; that is the
 * verifier's to watch over.
 */
export function siteverify({ url, secret, deliver, clock }: Siteverify): VerifyChallenge {
  return async (response, address) => {
    const body = new URLSearchParams({ secret, response, remoteip: address }).toString()
    const limit = new AbortController()
    void clock.until(clock.now() + VERIFY_TIMEOUT_MS, limit.signal).then(() => limit.abort())
    const answer = await deliver(url, { headers, body }, limit.signal)
    limit.abort()
    const verdict = 'failure' in answer ? null : verdictOf(answer)
    if (verdict !== null) return verdict
    throw new ApiError('upstream_failed', 'The challenge could not be checked, so the card was not taken; try again.', {
      cause: new Error(
        `The challenge's verifier gave no verdict: ${'failure' in answer ? answer.failure : answer.status}`,
      ),
    })
  }
}

const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }

/** Some verifiers answer a response that they refuse with a status of 400, and the same JSON. */
function verdictOf({ excerpt }: { excerpt: string }): boolean | null {
  try {
    return verdict.parse(JSON.parse(excerpt)).success
  } catch {
    return null // no JSON, or another than asked for
  }
}

const verdict = z.object({ success: z.boolean() })
