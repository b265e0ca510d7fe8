import { createClient } from '@tillwright/client'
import { credentialsFile, readCredentials, writeCredentials } from '../target/credentials.ts'
import { checkedTarget, originOf, type Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interruption.ts'
import { readKey } from './read-key.ts'

/** What was kept, without the key. */
export interface LoggedIn {
  target: Target['name']
  apiUrl: string
  accountId: string
  storeId: string | null
  file: string
}

/**
 * Checks a key with its platform and keeps it.
 *
 * @throws {CommandFailed} When key, platform and target do not belong together.
 * @throws {TillwrightError} When the platform does not answer, or refuses the key.
 */
export async function login(wanted: { target: Target['name']; url: string; store?: string }): Promise<LoggedIn> {
  const { target: name, store: storeId = null } = wanted
  const apiUrl = originOf(name, wanted.url)
  const apiKey = await readKey()
  checkedTarget({ name, apiUrl, apiKey })
  const key = await createClient({ apiKey, baseUrl: apiUrl }).accounts.testKey({}, { signal: interruption() })
  if (key.environment !== name) {
    throw new CommandFailed(
      `${apiUrl} is a ${key.environment} platform; log in with --target ${key.environment}.`,
      'conflict',
    )
  }
  const { targets, platforms } = await readCredentials()
  await writeCredentials({
    targets: { ...targets, [name]: apiUrl },
    platforms: { ...platforms, [apiUrl]: { apiKey, storeId } },
  })
  return { target: name, apiUrl, accountId: key.accountId, storeId, file: credentialsFile() }
}
