import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import type { Store } from '../store.ts'
import type { SessionRecord } from './session-record.ts'

/** What calls are made with. */
export interface Calling {
  data: Store<PageData>
  around: Surroundings
  record: SessionRecord
  /** The step that the page's address asks for; empty for none. */
  wantedStepId: string
}
