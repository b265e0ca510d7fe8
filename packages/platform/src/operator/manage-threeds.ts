import type { ThreedsProviderName } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'
import { commit } from '../http/commit.ts'
import {
  deleteDirectoryRow,
  findDirectoryRow,
  insertDirectoryRow,
  listDirectoryRows,
  type DirectoryRow,
} from '../payments/threeds/directory/directory-rows.ts'
import type { DirectorySettings } from '../payments/threeds/directory/directory-settings.ts'
import { whyRefused } from '../payments/threeds/directory/result-senders.ts'
import { checkDirectorySettings } from './check-directory-settings.ts'
import type { OperatorParts } from './operator-parts.ts'

/** A 3-D Secure provider that is wanted. */
export interface WantedThreedsProvider {
  name: ThreedsProviderName
  settings: DirectorySettings
}

/** A 3-D Secure provider as lists show it. */
export interface ListedThreedsProvider extends DirectorySettings {
  name: ThreedsProviderName
  /** Why the platform takes no results of challenges, with the fix; `null` where it does. */
  resultsRefused: string | null
  /** ISO 8601. */
  createdAt: string
}

/** What an operator does to the 3-D Secure providers of production. They serve all accounts. */
export interface ThreedsManagement {
  add(wanted: WantedThreedsProvider): Promise<ListedThreedsProvider>
  list(): Promise<ListedThreedsProvider[]>
  /** From then on nobody is authenticated by it, and results of challenges that are under way are refused. */
  remove(name: ThreedsProviderName): Promise<ListedThreedsProvider>
}

/** @param certificateHeader The header that the platform reads client certificates from. */
export function manageThreeds(parts: OperatorParts, certificateHeader: string | undefined): ThreedsManagement {
  const { db, clock } = parts
  const toListed = ({ name, settings, createdAtMs }: DirectoryRow): ListedThreedsProvider => ({
    name,
    ...settings,
    resultsRefused: whyRefused(settings, certificateHeader),
    createdAt: new Date(createdAtMs).toISOString(),
  })
  return {
    async add({ name, settings }) {
      if ((await findDirectoryRow(name, db)) !== null) {
        throw new OperatorError(
          `The provider '${name}' is configured already; remove it first with "tillwright threeds remove ${name}".`,
        )
      }
      const row = { name, settings: await checkDirectorySettings(settings), createdAtMs: clock.now() }
      await commit([insertDirectoryRow(row)], parts)
      return toListed(row)
    },
    async list() {
      return (await listDirectoryRows(db)).map(toListed)
    },
    async remove(name) {
      const row = await findDirectoryRow(name, db)
      if (row === null)
        throw new OperatorError(`The provider '${name}' is not configured, so there is nothing to remove.`)
      await commit([deleteDirectoryRow(name)], parts)
      return toListed(row)
    },
  }
}
