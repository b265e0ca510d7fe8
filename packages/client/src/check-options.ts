import { TillwrightError } from './tillwright-error.ts'

/**
 * A secret key that may be sent. What is wrong with another is said without repeating it: the message may be logged.
 *
 * @throws {TillwrightError} `options_invalid`.
 */
export function checkedKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw refused('apiKey', 'is missing. Give the secret key of your account, which begins with test_sk_ or live_sk_.')
  }
  if (/^(test|live)_pk_/.test(apiKey)) {
    throw refused('apiKey', 'is a publishable key, which is for browsers. Give the secret one: test_sk_ or live_sk_.')
  }
  if (!/^(test|live)_sk_[A-Za-z0-9]+$/.test(apiKey)) {
    throw refused(
      'apiKey',
      'is not a secret key: test_sk_ or live_sk_, then letters and digits, without spaces around.',
    )
  }
  return apiKey
}

/**
 * The address without a slash at its end.
 *
 * @throws {TillwrightError} `options_invalid` when it is not an absolute http or https address, or a live key would be
 *   sent there unencrypted.
 */
export function checkedBaseUrl(baseUrl: unknown, apiKey: string): string {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw refused('baseUrl', 'must be the address of the platform, such as http://localhost:4400.')
  }
  if (url.protocol === 'http:' && apiKey.startsWith('live_') && !isLoopback(url)) {
    throw refused('baseUrl', 'must be an https:// address: a live key is never sent unencrypted.')
  }
  return url.href.replace(/\/+$/, '')
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function refused(param: string, problem: string): TillwrightError {
  return new TillwrightError('options_invalid', `\`${param}\` ${problem}`, { param })
}
