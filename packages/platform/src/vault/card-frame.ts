import type { Parts } from '../call.ts'
import type { FrameHashes } from './frame-files.ts'
import {
  admitFrame,
  fillFrame,
  framePolicy,
  pageHeaders,
  refusedFrame,
  scriptIntegrity,
  type FrameCaller,
  type FrameQuery,
  type Page,
} from './frame-page.ts'
import { newFrameSession } from './frame-session.ts'
import type { PublicJwk } from './jwe-keys.ts'

/** What the card frame is made of. */
export interface CardFrameParts {
  /** The built page; `{{frame}}` stands in an attribute where its settings go. */
  html: string
  hashes: FrameHashes
  caller: FrameCaller
  query: FrameQuery
  jwk: PublicJwk
  parts: Pick<Parts, 'clock' | 'secrets' | 'randomness'>
}

/**
 * The card frame for one page of a shop, or a plain page that says why not. Nothing of a refused request is repeated.
 */
export function cardFramePage({ html, hashes, caller, query, jwk, parts }: CardFrameParts): Page {
  const { key, origin, id } = query
  const admission = admitFrame(caller, query)
  if (admission.outcome === 'refused') return admission.page
  const { alg: _alg, ...point } = jwk // The frame knows one algorithm.
  const session = newFrameSession({ keyId: admission.keyId, origin }, parts)
  // The frame says when a card was typed by the vault's time: a buyer's clock may be wrong, and ours may have been moved.
  const frame = JSON.stringify({ v: 1, id, origin, key, session, jwk: point, now: parts.clock.now() })
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      'Content-Security-Policy': framePolicy(hashes, admission.origins),
      ...scriptIntegrity,
      // A page that isolates itself holds frames of another origin only when they send this.
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
    html: fillFrame(html, { frame }),
  }
}

/** The page for an address that loads forms faster than buyers do. */
export function tooManyFrames(retryAfterS: number): Page {
  const page = refusedFrame(429, `Too many card forms were loaded from here; try again in ${retryAfterS} s.`)
  return { ...page, headers: { ...page.headers, 'Retry-After': String(retryAfterS) } }
}
