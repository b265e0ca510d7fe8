import type { ResultReceiver } from './receive-result.ts'
import type { ThreedsProviders } from './threeds-providers.ts'

/** What 3-D Secure needs beside the database: who is asked, where browsers come back to, and who waits for a session. */
export interface ThreedsServer extends Pick<ResultReceiver, 'watch'> {
  providers: ThreedsProviders
  /** The vault's origin. */
  vaultUrl: string
}
