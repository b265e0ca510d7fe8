import type { SessionOrder, WantedLine } from '../api/session-order.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'

/** An order that was placed in the session, and the step at which; `null` where that is not known. */
export interface Receipt {
  stepId: string | null
  order: SessionOrder
}

/** What a tab keeps of its session: nothing of the buyer. */
export interface KeptSession {
  /** Opens the session; empty before there is one. */
  token: string
  /** Empty before it is known. */
  sessionId: string
  /** A code that has yet to be redeemed, and the `Idempotency-Key` to do so with, also after a reload; or `null`. */
  handed: { code: string; key: string } | null
  /** The page on another origin that the session was handed over to; empty for none. */
  wentTo: string
  isPreview: boolean
  /** The cart, for another session when this one has expired. */
  lines: readonly WantedLine[]
  currency: string
  receipts: readonly Receipt[]
}

/** A session of which nothing is known but its token. */
export function unknownSession(token: string): KeptSession {
  return { token, sessionId: '', handed: null, wentTo: '', isPreview: false, lines: [], currency: '', receipts: [] }
}

/** The name that a tab keeps its session under: one for each store and funnel. */
export function keyOf({ storeId, funnel }: Pick<PageData, 'storeId' | 'funnel'>): string {
  return `tillwright:${storeId}:${funnel?.id ?? ''}`
}

/** What the tab has kept, or a session without a token. */
export function readKept(key: string, { storage }: Pick<Surroundings, 'storage'>): KeptSession {
  try {
    return { ...unknownSession(''), ...JSON.parse(storage?.getItem(key) ?? '') }
  } catch {
    return unknownSession('') // nothing is there, or what somebody else has written
  }
}

/** Where a tab keeps the token for the next document of the same origin. */
export const BATON = 'tillwright-next'
