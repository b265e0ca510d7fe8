import { type KeySource, type Target, targetNames, checkedTarget, noPlatform, originOf } from './target.ts'
import type { Environment } from '@tillwright/contract'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../terminal/fail-with.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { findLocal } from './local.ts'

/** The options that select a target. */
export interface TargetOptions {
  target?: Environment
  url?: string
  /** The plugin's folder of a command that is about one: a local platform is looked for from there first. */
  pluginFolder?: string
}

/**
 * The platform of a command. By default it is the local one, if it is running: nothing live is ever a default. The key
 * comes from TILLWRIGHT_API_KEY or from a login; on the local platform it is the one with org:admin, because anyone who
 * can read its file owns it.
 *
 * @throws {CommandFailed} If there is none, or the key must not be sent there: see `checkedTarget`.
 */
export async function findTarget(options: TargetOptions): Promise<Target> {
  const local =
    options.target === undefined || options.target === 'local'
      ? await findLocal(process.env, options.pluginFolder)
      : null
  if (local !== null && options.url === undefined) {
    const { apiUrl, adminApiKey, storeId } = local
    return checkedTarget({
      name: 'local',
      apiUrl,
      ...keyOf({ apiKey: adminApiKey, keyFrom: 'local platform' }),
      storeId,
    })
  }
  if (options.target === undefined) throw options.url === undefined ? noPlatform() : urlAlone()
  return remote(options.target, options, await readCredentials())
}

/** The failure of a command that is given an address and not what it expects there. */
export function urlAlone(): CommandFailed {
  const names = targetNames.join(', ')
  return new CommandFailed(`--url: also pass the platform's environment with --target: ${names}.`, 'usage')
}

function remote(name: Environment, { url }: TargetOptions, { targets, platforms }: Credentials): Target {
  const apiUrl = url === undefined ? targets[name] : originOf(name, url)
  if (apiUrl === undefined) {
    if (name === 'local')
      throw new CommandFailed('No local platform is running; start one with "tillwright start".', 'network')
    throw new CommandFailed(
      `--target ${name}: there is no login; log in with "tillwright login --target ${name} --url https://...".`,
      'unauthorized',
    )
  }
  const kept = platforms[apiUrl]
  const { apiKey, keyFrom } = keyOf({ apiKey: kept?.apiKey, keyFrom: 'login' })
  if (apiKey !== undefined) return checkedTarget({ name, apiUrl, apiKey, keyFrom, storeId: kept?.storeId ?? null })
  throw new CommandFailed(
    `${apiUrl}: there is no key for it; log in with "tillwright login --target ${name} --url ${apiUrl}", or set TILLWRIGHT_API_KEY.`,
    'unauthorized',
  )
}

/** The key that commands use: that of TILLWRIGHT_API_KEY, or the one that is kept for a platform. */
export function keyOf<Kept extends { apiKey: string | undefined; keyFrom: KeySource }>(kept: Kept) {
  const apiKey = process.env['TILLWRIGHT_API_KEY']
  return apiKey ? { apiKey, keyFrom: 'TILLWRIGHT_API_KEY' as const } : kept
}

/** Adds the options that select a platform to a command. */
export function withTarget(command: Command): Command {
  return command
    .addOption(
      new Option('--target <name>', 'the platform; by default the local one, if it is running').choices(targetNames),
    )
    .option('--url <url>', 'its address, if not that of the login')
}
