import { type Target, targetNames, checkedTarget, originOf } from './target.ts'
import type { Environment } from '@tillwright/contract'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../terminal/fail-with.ts'
import { type Credentials, credentialsFile, readCredentials } from './credentials.ts'
import { findLocal } from './local.ts'

/** How a command's target is named. */
export interface TargetOptions {
  target?: Environment
  url?: string
}

/**
 * The platform that a command is for. Without a name it is the local one, if that runs: nothing live is ever a default.
 * A key comes from TILLWRIGHT_API_KEY, or from an earlier login; the local platform's own is that with org:admin, for
 * whoever can read its file owns it.
 *
 * @throws {CommandFailed} Where there is none, or the key may not be sent there: see `checkedTarget`.
 */
export async function findTarget(options: TargetOptions, env: NodeJS.ProcessEnv = process.env): Promise<Target> {
  const local = options.target === undefined || options.target === 'local' ? await findLocal(env) : null
  if (local !== null && options.url === undefined) {
    const { apiUrl, adminApiKey, storeId } = local
    return checkedTarget({ name: 'local', apiUrl, apiKey: env['TILLWRIGHT_API_KEY'] || adminApiKey, storeId })
  }
  if (options.target === undefined) throw new CommandFailed(whichTarget(options), 'usage')
  return remote(options.target, options, { env, credentials: await readCredentials(credentialsFile(env)) })
}

function whichTarget({ url }: TargetOptions): string {
  const names = targetNames.join(', ')
  if (url !== undefined) return `--url: say with --target what kind of platform it is: ${names}.`
  return `Which platform? None runs here: start one with "tillwright start", or name one with --target (${names}).`
}

interface Sources {
  env: NodeJS.ProcessEnv
  credentials: Credentials
}

function remote(name: Environment, { url }: TargetOptions, { env, credentials }: Sources): Target {
  const apiUrl = url === undefined ? credentials.targets[name] : originOf(name, url)
  if (apiUrl === undefined) {
    if (name === 'local')
      throw new CommandFailed('No local platform runs; start one with "tillwright start".', 'network')
    throw new CommandFailed(
      `--target ${name}: nobody has logged in; do it with "tillwright login --target ${name} --url https://...".`,
      'unauthorized',
    )
  }
  const kept = credentials.platforms[apiUrl]
  const apiKey = env['TILLWRIGHT_API_KEY'] || kept?.apiKey
  if (apiKey !== undefined) return checkedTarget({ name, apiUrl, apiKey, storeId: kept?.storeId ?? null })
  throw new CommandFailed(
    `${apiUrl}: there is no key for it; log in with "tillwright login --target ${name} --url ${apiUrl}", or set TILLWRIGHT_API_KEY.`,
    'unauthorized',
  )
}

/** Gives a command the options that name its platform. */
export function withTarget(command: Command): Command {
  return command
    .addOption(
      new Option('--target <name>', 'which platform: the local one, if it runs, unless another is named').choices(
        targetNames,
      ),
    )
    .option('--url <url>', 'its address, where it is not that of the login')
}
