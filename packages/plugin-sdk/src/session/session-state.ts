import type { BuyerSession } from '../api/buyer-session.ts'
import type { TillwrightError } from '../tillwright-error.ts'

/** Where the session stands in this page. */
export interface SessionState {
  /**
   * `offline`: nobody answers, and the page keeps asking. `expired`: a preview is over, and nobody gives another. A
   * buyer's session that has expired begins anew by itself. `moved`: the session was handed over and goes on in another
   * page; `startOver()` begins another one here. `failed`: it could not begin.
   */
  status: 'starting' | 'ready' | 'offline' | 'expired' | 'moved' | 'failed'
  /** The session as the platform last told it; `null` until it has begun. It stays there while the page is offline. */
  view: BuyerSession | null
  /** Whether a change is under way. */
  isBusy: boolean
  /** Why it is offline, expired, moved or failed; or `null`. */
  error: TillwrightError | null
}
