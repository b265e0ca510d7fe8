import type { Environment } from '@tillwright/contract'
import { CommandFailed } from '../terminal/fail-with.ts'
import { credentialsFile, readCredentials, type Credentials } from './credentials.ts'
import { findLocal } from './find-local.ts'
import { targetNames, type Target } from './target.ts'

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
 * @throws {CommandFailed} Where there is none, or its key is for another kind of platform.
 */
export async function findTarget(options: TargetOptions, env: NodeJS.ProcessEnv = process.env): Promise<Target> {
  const local = options.target === undefined || options.target === 'local' ? await findLocal(env) : null
  if (local !== null && options.url === undefined) {
    return {
      name: 'local',
      apiUrl: local.apiUrl,
      apiKey: env['TILLWRIGHT_API_KEY'] || local.adminApiKey,
      storeId: local.storeId,
    }
  }
  if (options.target === undefined) throw new CommandFailed(whichTarget(options), 'usage')
  const target = remote(options.target, options, { env, credentials: await readCredentials(credentialsFile(env)) })
  checkKey(target)
  return target
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
  const apiUrl = url === undefined ? credentials.targets[name] : originOf(url)
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
  if (apiKey !== undefined) return { name, apiUrl, apiKey, storeId: kept?.storeId ?? null }
  throw new CommandFailed(
    `${apiUrl}: there is no key for it; log in with "tillwright login --target ${name} --url ${apiUrl}", or set TILLWRIGHT_API_KEY.`,
    'unauthorized',
  )
}

/**
 * A platform's address as it is kept.
 *
 * @throws {CommandFailed} For what is not one.
 */
export function originOf(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin
  throw new CommandFailed('--url: must be the address of a platform alone, such as https://api.shop.example.', 'usage')
}

/**
 * A live key works in production alone, and nothing else works there. The key is never repeated.
 *
 * @throws {CommandFailed} For the wrong kind of key.
 */
export function checkKey({ name, apiKey }: Pick<Target, 'name' | 'apiKey'>): void {
  if (!/^(test|live)_sk_[A-Za-z0-9]+$/.test(apiKey)) {
    throw new CommandFailed('The key is not a secret one, which begins with test_sk_ or live_sk_.', 'unauthorized')
  }
  const isLive = apiKey.startsWith('live_')
  if (isLive === (name === 'production')) return
  throw new CommandFailed(
    isLive
      ? `A live key is for --target production, not for ${name}.`
      : 'Production takes a live key; this is a test key.',
    'unauthorized',
  )
}
