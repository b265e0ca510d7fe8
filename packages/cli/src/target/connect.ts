import { type Client, createClient } from '@tillwright/client'
import pc from 'picocolors'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interaction.ts'
import { type Target } from './target.ts'
import { findTarget, type TargetOptions } from './find-target.ts'

/** A platform that has said who we are. */
export interface Connection {
  client: Client
  target: Target
  /** What the platform says of the key. */
  key: Awaited<ReturnType<Client['accounts']['testKey']>>
}

/**
 * Finds a command's platform, asks it whose key this is, and tells on the standard error which one it is before anything
 * else is done.
 *
 * @throws {CommandFailed} When the platform is of another kind than the command says.
 * @throws {TillwrightError} When it does not answer, or refuses the key.
 */
export async function connect(options: TargetOptions): Promise<Connection> {
  const target = await findTarget(options)
  const client = createClient({ apiKey: target.apiKey, baseUrl: target.apiUrl })
  const key = await client.accounts.testKey({}, { signal: interruption() })
  if (key.environment !== target.name) {
    throw new CommandFailed(`${target.apiUrl} is a ${key.environment} platform, not ${target.name}.`, 'conflict')
  }
  process.stderr.write(`${pc.bold(target.name)} ${target.apiUrl} ${pc.dim(key.accountId)}\n`)
  return { client, target, key }
}
