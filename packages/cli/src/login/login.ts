import { text } from 'node:stream/consumers'
import { type Client, createClient, TillwrightError } from '@tillwright/client'
import { endingLine, testKey } from '../target/connect.ts'
import { credentialsFile, readCredentials, writeCredentials } from '../target/credentials.ts'
import { checkedTarget, originOf, type Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption, isInteractive } from '../terminal/interaction.ts'
import { printNotice } from '../terminal/print.ts'

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
  const target = checkedTarget({ name, apiUrl, ...(await readKey()), storeId })
  const { apiKey } = target
  const client = createClient({ apiKey, baseUrl: apiUrl })
  const key = await testKey(client, target)
  if (key.environment !== name) {
    throw new CommandFailed(
      `${apiUrl} is a ${key.environment} platform; log in with --target ${key.environment}.`,
      'conflict',
    )
  }
  printNotice(endingLine(target, key))
  if (storeId !== null) await requireStore(client, { storeId, accountId: key.accountId })
  const { targets, platforms } = await readCredentials()
  await writeCredentials({
    targets: { ...targets, [name]: apiUrl },
    platforms: { ...platforms, [apiUrl]: { apiKey, storeId } },
  })
  return { target: name, apiUrl, accountId: key.accountId, storeId, file: credentialsFile() }
}

/** @throws {CommandFailed} For a store of another account; one that the key may not read is taken on trust. */
async function requireStore(client: Client, { storeId, accountId }: { storeId: string; accountId: string }) {
  try {
    await client.stores.get({ storeId }, { signal: interruption() })
  } catch (error) {
    if (!(error instanceof TillwrightError)) throw error
    if (error.status === 403) return
    if (error.status !== 404) throw error
    throw new CommandFailed(
      `--store: ${storeId} is not a store of the key's account, ${accountId}; pass another store, or the key of its account.`,
    )
  }
}

/**
 * A secret key: from TILLWRIGHT_API_KEY, the standard input, or a hidden prompt.
 *
 * @throws {CommandFailed} If there is none.
 */
async function readKey(): Promise<Pick<Target, 'apiKey' | 'keyFrom'>> {
  const variable = process.env['TILLWRIGHT_API_KEY']
  const isAsked = isInteractive()
  const given = variable || (isAsked ? await askForKey() : await text(process.stdin))
  const key = given.trim()
  const otherSource = isAsked ? 'prompt' : 'standard input'
  if (key !== '') return { apiKey: key, keyFrom: variable ? 'TILLWRIGHT_API_KEY' : otherSource }
  throw new CommandFailed('The key is missing: pipe it in, or set TILLWRIGHT_API_KEY.', 'unauthorized')
}

async function askForKey(): Promise<string> {
  const { password } = await import('@clack/prompts')
  const answer = await password({ message: 'Secret key (test_sk_... or live_sk_...)', output: process.stderr })
  if (typeof answer === 'string') return answer
  throw new CommandFailed('Nothing was stored.', 'interrupted')
}
