import { type Client, createClient, TillwrightError } from '@tillwright/client'
import pc from 'picocolors'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interaction.ts'
import { type Target } from './target.ts'
import { findTarget, type TargetOptions } from './find-target.ts'
import { printNotice } from '../terminal/print.ts'

/** A platform that has accepted our key. */
export interface Connection {
  client: Client
  target: Target
  /** The platform's information about the key. */
  key: Awaited<ReturnType<Client['accounts']['testKey']>>
}

/** How long nothing is said while a platform does not answer; the client gives up after a minute and a half. */
const SILENCE_MS = 3_000

/**
 * Finds a command's platform, checks the key, and prints the target to the standard error before anything else happens.
 *
 * @throws {CommandFailed} If the platform is in another environment than the command expects.
 * @throws {TillwrightError} If it does not respond or refuses the key.
 */
export async function connect(options: TargetOptions): Promise<Connection> {
  const target = await findTarget(options)
  const client = createClient({ apiKey: target.apiKey, baseUrl: target.apiUrl })
  const silence = setTimeout(() => printNotice(`Waiting for ${target.apiUrl}; press Ctrl-C to stop.\n`), SILENCE_MS)
  const key = await testKey(client, target).finally(() => clearTimeout(silence))
  printNotice(connectionLine(target, key))
  return { client, target, key }
}

/**
 * What a command says of its platform: the environment, the address, as whom it is there, and that its key ends soon.
 *
 * @throws {CommandFailed} If the platform is in another environment than the command expects.
 */
export function connectionLine(target: Target, key: Connection['key']): string {
  if (key.environment !== target.name) {
    throw new CommandFailed(`${target.apiUrl} is a ${key.environment} platform, not ${target.name}.`, 'conflict')
  }
  const variable = target.keyFrom === 'TILLWRIGHT_API_KEY' ? `, with ${target.keyFrom}` : ''
  return `${pc.bold(target.name)} ${target.apiUrl} ${pc.dim(key.accountId + variable)}\n${endingLine(target, key)}`
}

/** What a command says of a key that ends soon; empty for any other. */
export function endingLine(target: Target, key: Connection['key']): string {
  const ending = endingOf(key)
  return ending === null ? '' : `${pc.yellow(`${ending}. ${sourceOf(target)}`.trimEnd())}\n`
}

/** From when on it is said that a key ends. One that was rolled ends within a week. */
const SOON_MS = 14 * 24 * 3_600_000

/** When a key ends that does so soon, and what it was rolled to; `null` for any other. */
export function endingOf({ keyId, expiresAt, replacedBy }: Connection['key']): string | null {
  if (expiresAt === null || Date.parse(expiresAt) - Date.now() > SOON_MS) return null
  return `This API key, ${keyId}, ends at ${expiresAt}${replacedBy === null ? '' : `; it was rolled to ${replacedBy}`}`
}

/**
 * Checks a target's key.
 *
 * @throws {TillwrightError} If the platform does not respond, or refuses the key; the message says where that is from.
 */
export function testKey(client: Client, target: Target): Promise<Connection['key']> {
  return tellingSource(target, client.accounts.testKey({}, { signal: interruption() }))
}

/**
 * Work with a target's key, which may be revoked before the work is done.
 *
 * @throws What the work does; where the key is refused, the message says where that is from.
 */
export function tellingSource<Result>(target: Target, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof TillwrightError) || error.status !== 401) throw error
    throw Object.assign(error, { message: `${error.message} ${sourceOf(target)}`.trimEnd() })
  })
}

/** Where a key is from, and how it is replaced there, in a sentence; empty for one that was just typed. */
export function sourceOf({ keyFrom, name, apiUrl, storeId }: Target): string {
  switch (keyFrom) {
    case 'TILLWRIGHT_API_KEY':
      return `It is the one in ${keyFrom}, which goes before that of a login: set another there, or unset it.`
    case 'login': {
      const store = storeId === null ? '' : ` --store ${storeId}`
      return `It is that of the login: log in again with "tillwright login --target ${name} --url ${apiUrl}${store}".`
    }
    case 'local platform':
      return "It is the local platform's own: start that again, which makes another one."
    case 'standard input':
      return 'It was read from the standard input.'
    case 'prompt':
      return ''
  }
}
