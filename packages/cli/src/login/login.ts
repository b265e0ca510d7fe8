import { text } from 'node:stream/consumers'
import { createClient } from '@tillwright/client'
import { credentialsFile, readCredentials, writeCredentials } from '../target/credentials.ts'
import { checkedTarget, originOf, type Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption, isInteractive } from '../terminal/interaction.ts'

/** A stored login, without the key. */
export interface LoggedIn {
  target: Target['name']
  apiUrl: string
  accountId: string
  storeId: string | null
  file: string
}

/**
 * Checks a key with its platform and stores it.
 *
 * @throws {CommandFailed} If key, platform and target do not match.
 * @throws {TillwrightError} If the platform does not respond or refuses the key.
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

/**
 * A secret key: from TILLWRIGHT_API_KEY, the standard input, or a hidden prompt.
 *
 * @throws {CommandFailed} If there is none.
 */
async function readKey(): Promise<string> {
  const given = process.env['TILLWRIGHT_API_KEY'] || (isInteractive() ? await askForKey() : await text(process.stdin))
  const key = given.trim()
  if (key !== '') return key
  throw new CommandFailed('The key is missing: pipe it in, or set TILLWRIGHT_API_KEY.', 'unauthorized')
}

async function askForKey(): Promise<string> {
  const { password } = await import('@clack/prompts')
  const answer = await password({ message: 'Secret key (test_sk_... or live_sk_...)', output: process.stderr })
  if (typeof answer === 'string') return answer
  throw new CommandFailed('Nothing was stored.', 'interrupted')
}
