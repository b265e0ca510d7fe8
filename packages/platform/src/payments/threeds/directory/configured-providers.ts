import type { ThreedsProviderName } from '@tillwright/contract'
import type { ThreedsProvider } from '../provider.ts'
import type { ThreedsProviders } from '../threeds-providers.ts'
import { directoryProvider, type DirectoryParts } from './directory-provider.ts'
import { findDirectoryRow } from './directory-rows.ts'

/** For how long what was read of a provider's row is trusted: an operator's change is acted on within it. */
const TRUSTED_MS = 1_000

interface Known {
  provider: ThreedsProvider | null
  /** What the row said. */
  text: string
  readAtMs: number
}

/** The providers that operators have configured. Each is opened once, and anew when its row has changed. */
export function configuredProviders(parts: DirectoryParts): ThreedsProviders {
  const known = new Map<ThreedsProviderName, Known>()
  return async (name) => {
    const before = known.get(name)
    const nowMs = parts.clock.now()
    if (before !== undefined && nowMs - before.readAtMs < TRUSTED_MS) return before.provider
    const row = await findDirectoryRow(name, parts.db)
    const text = JSON.stringify(row)
    const provider =
      before !== undefined && before.text === text ? before.provider : row && directoryProvider(row, parts)
    known.set(name, { provider, text, readAtMs: nowMs })
    return provider
  }
}
