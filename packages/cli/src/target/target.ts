import type { Environment } from '@tillwright/contract'
import { CommandFailed } from '../terminal/fail-with.ts'

/** A platform to act on, and as whom. */
export interface Target {
  /** Which kind of platform it is said to be. */
  name: Environment
  /** Where it answers, without a slash at the end. */
  apiUrl: string
  /** A secret key of the account. */
  apiKey: string
  /** The store to work on unless a command names another. */
  storeId: string | null
}

/** The kinds of platforms that there are. */
export const targetNames: readonly Environment[] = ['local', 'development', 'production']

/**
 * Checks that a key may be sent to a platform. Every command that sends one asks here first, wherever key and address
 * come from: the command line, the environment, an earlier login or a running platform's `local.json`.
 *
 * @returns The target as it was given.
 * @throws {CommandFailed} Before anything is sent: for an address that `originOf` refuses, for a key that is not a secret
 *   one, and for a live key outside production or a test key in it. The key is never repeated.
 */
export function checkedTarget<Checked extends Pick<Target, 'name' | 'apiUrl' | 'apiKey'>>(target: Checked): Checked {
  originOf(target.name, target.apiUrl)
  checkKey(target)
  return target
}

/**
 * A platform's origin, as it is kept. A local platform is on this machine; every other one is asked over HTTPS.
 *
 * @throws {CommandFailed} For any other address.
 */
export function originOf(name: Environment, text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new CommandFailed(
      '--url: must be the address of a platform alone, such as https://api.shop.example.',
      'usage',
    )
  }
  if (name === 'local' && !isLoopback(url)) {
    throw new CommandFailed(
      `${url.origin} is not on this machine, so it is no local platform; name it with --target development or production.`,
      'usage',
    )
  }
  if (name !== 'local' && url.protocol !== 'https:') {
    throw new CommandFailed(
      `${url.origin} would get your key unencrypted; use its https:// address, or --target local for a platform on this machine.`,
      'usage',
    )
  }
  return url.origin
}

/** Whether an address leads to this machine whatever a name server says. Sources: RFC 6761 section 6.3, RFC 5735. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function checkKey({ name, apiKey }: Pick<Target, 'name' | 'apiKey'>): void {
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
