import type { Environment } from '@tillwright/contract'
import { CommandFailed } from '../terminal/fail-with.ts'

/** A platform, and the key to use there. */
export interface Target {
  /** The platform's expected environment. */
  name: Environment
  /** Its address, without a trailing slash. */
  apiUrl: string
  /** A secret key of the account. */
  apiKey: string
  keyFrom: KeySource
  /** The default store. */
  storeId: string | null
}

/** Where a key is from: the variable goes before the others. The last two are of a key that is about to be stored. */
export type KeySource = 'TILLWRIGHT_API_KEY' | 'login' | 'local platform' | 'standard input' | 'prompt'

/** All environments of platforms. */
export const targetNames: readonly Environment[] = ['local', 'development', 'production']

/**
 * Checks that a key may be sent to a platform. Every command that sends one calls this first, wherever key and address
 * come from: the command line, the environment, a login or a running platform's `local.json`.
 *
 * @returns The unchanged target.
 * @throws {CommandFailed} Before anything is sent: for an address that `originOf` refuses, for a key that is not a
 *   secret one, for a live key outside production, and for a test key in production. The message never contains the
 *   key.
 */
export function checkedTarget<Checked extends CheckedParts>(target: Checked): Checked {
  originOf(target.name, target.apiUrl)
  checkKey(target)
  return target
}

type CheckedParts = Pick<Target, 'name' | 'apiUrl' | 'apiKey'> & Partial<Pick<Target, 'keyFrom'>>

/**
 * Normalizes a platform's origin. A local platform is on this machine; all others require HTTPS.
 *
 * @throws {CommandFailed} For any other address.
 */
export function originOf(name: Environment, text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname !== '/') {
    throw new CommandFailed(`--url: a platform has no path; write ${url.origin}.`, 'usage')
  }
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new CommandFailed('--url: must be only the address of a platform, such as https://api.shop.example.', 'usage')
  }
  if (name === 'local' && !isLoopback(url)) {
    throw new CommandFailed(
      `${url.origin} is not on this machine, so it is not a local platform; use --target development or production.`,
      'usage',
    )
  }
  if (name !== 'local' && url.protocol !== 'https:') {
    throw new CommandFailed(
      `${url.origin} would receive your key unencrypted; use its https:// address, or --target local for a platform on this machine.`,
      'usage',
    )
  }
  return url.origin
}

/** Whether an address leads to this machine regardless of DNS. Sources: RFC 6761 section 6.3, RFC 5735. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function checkKey({ name, apiKey, keyFrom }: CheckedParts): void {
  const problem = problemOfKey(name, apiKey)
  if (problem === null) return
  const place = keyFrom === 'TILLWRIGHT_API_KEY' ? `${keyFrom}: ` : ''
  throw new CommandFailed(place + problem, 'unauthorized')
}

function problemOfKey(name: Environment, apiKey: string): string | null {
  if (!/^(test|live)_sk_[A-Za-z0-9]+$/.test(apiKey)) {
    return 'The key is not a secret key, which starts with test_sk_ or live_sk_.'
  }
  const isLive = apiKey.startsWith('live_')
  if (isLive === (name === 'production')) return null
  return isLive
    ? `A live key is for --target production, not for ${name}.`
    : 'Production requires a live key; this is a test key.'
}

/** The failure of a command that finds no platform: the ways to one. */
export function noPlatform(): CommandFailed {
  return new CommandFailed(
    `No platform runs here. Start one with "tillwright start" in another terminal, or add --start to publish; or log in to another with "tillwright login --target development --url https://..." and pass --target (${targetNames.join(', ')}).`,
    'usage',
  )
}
