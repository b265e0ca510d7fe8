import type { Control } from '@tillwright/bank-simulator'
import type { Ending } from './authentication-story.ts'
import type { Visit } from './threeds-visit.ts'

/** One way through an authentication, from a shop's page to the answers to the shop's server. */
export interface ThreedsCase {
  /** The situation, as the beginning of a sentence that the outcome ends. */
  when: string
  /** One whose bank asks for a code, unless it is named. */
  card?: string
  /** Deviations from the card's usual behaviour. */
  arranged?: Omit<Control, 'faults'> & Partial<Pick<Control, 'faults'>>
  /** The page's time passes when the case says so. */
  hasOwnTime?: boolean
  /** Actions of the buyer, or of another party, after the start. */
  andThen?: (visit: Visit) => Promise<unknown>
  outcome: Ending['outcome']
  /**
   * Seen in a browser by a soak alone: the page takes the same steps as in another case, and what the server makes of the
   * difference has a test without a browser.
   */
  isSoaked?: true
  /** The bank was never on the buyer's screen. */
  isUnasked?: boolean
  /** The bank asks in its app, and shows no page. */
  isElsewhere?: boolean
  /** The 3DS method's completion indicator: it ran, it did not end in time, there is none. */
  method?: 'Y' | 'N' | 'U'
}
