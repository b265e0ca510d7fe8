import type { PageId } from './page-of-step.ts'

/** A page that somebody wants to see, by its address, and where their session is. */
export interface Wish {
  wanted: PageId
  /** The page of the session's step; `null` without a funnel. */
  at: PageId | null
  /** Whether something was bought in this session. */
  hasBought: boolean
}

/** The pages that a buyer goes back to, as long as nothing is bought. */
const open: readonly PageId[] = ['landing', 'offer', 'checkout']

/** The pages that nobody comes back to: what follows stands in their place in the history. */
export const leftForGood: readonly PageId[] = ['checkout', 'upsell', 'downsell', 'thank-you']

/**
 * What to do about an address: of the back button, of a reload, or typed. `show` the page, `go` to its step first, or
 * `follow` the session to where it is. Behind a purchase there is no way back to where it could be made a second time, and
 * an offer that was passed is not shown again.
 */
export function whereTo({ wanted, at, hasBought }: Wish): 'show' | 'go' | 'follow' {
  if (at === null || at === wanted) return 'show'
  return open.includes(wanted) && !hasBought ? 'go' : 'follow'
}
