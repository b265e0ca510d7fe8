import type { Control } from '@tillwright/bank-simulator'
import type { Ending } from './authentication-story.ts'
import type { Visit } from './threeds-visit.ts'

/** One way through an authentication, from a shop's page to what the shop's server is told. */
export interface ThreedsCase {
  /** What happens, as the beginning of a sentence that the outcome ends. */
  when: string
  /** One whose bank asks for a code, unless it is named. */
  card?: string
  /** What goes otherwise than the card says. */
  arranged?: Omit<Control, 'faults'> & Partial<Pick<Control, 'faults'>>
  /** The page's time passes when the case says so. */
  hasOwnTime?: boolean
  /** What the buyer does, or whoever else. */
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
  /** What the bank is told of its method page: it ran, it did not end in time, there is none. */
  method?: 'Y' | 'N' | 'U'
}
