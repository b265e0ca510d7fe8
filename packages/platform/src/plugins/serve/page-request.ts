import type { PageOrigins } from '@tillwright/contract'
import type { Services } from '../../request-context.ts'
import type { Blobs } from '../../storage/index.ts'
import type { PageKeys } from './page-keys.ts'

/** Dependencies of serving pages. */
export interface PageServing extends PageOrigins {
  services: Pick<Services, 'db'>
  blobs: Blobs
  pageKeys: PageKeys
  /** Every deployment has a host under this one's. */
  pluginsUrl: string
  /** Whether the hosts of pages answer the operations of pages, below their root. */
  answersSessions: boolean
}

/** A request to a host that may be a plugin's. */
export interface PageRequest {
  method: string
  /** In lower case, without a port. */
  hostname: string
  /** Path and query, as they were sent. */
  target: string
  /** A header by its name in lower case. */
  header: (name: string) => string | undefined
}
