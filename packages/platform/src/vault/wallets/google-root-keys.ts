import type { Environment } from '@tillwright/contract'
import { type GoogleRootKey, readGoogleRootKeys } from './google-pay.ts'

/** Where Google publishes its keys. Source: Google Pay, "Payment data cryptography for merchants". */
const KEYS_URL = 'https://payments.developers.google.com/paymentmethodtoken/keys.json'
const TEST_KEYS_URL = 'https://payments.developers.google.com/paymentmethodtoken/test/keys.json'

/** How long keys are used before Google is asked again. They are good for years, and announced long before. */
const FRESH_MS = 6 * 60 * 60 * 1_000

const TIMEOUT_MS = 5_000

/** A list of keys is about 1 kB. */
const ANSWER_MAX_CHARS = 65_536

/** The keys by which Google signs tokens, as this process knows them. */
export class GoogleRootKeys {
  readonly #url: string
  readonly #fetch: typeof fetch
  #known: { keys: readonly GoogleRootKey[]; atMs: number } | null = null
  #asking: Promise<readonly GoogleRootKey[]> | null = null

  /** @param fetchKeys The way to Google. */
  constructor(environment: Environment, fetchKeys: typeof fetch = fetch) {
    this.#url = environment === 'production' ? KEYS_URL : TEST_KEYS_URL
    this.#fetch = fetchKeys
  }

  /**
   * The keys. While Google cannot be reached, those that are known go on, each until it expires.
   *
   * @throws {Error} When Google cannot be reached, and none are known.
   */
  async read(nowMs: number): Promise<readonly GoogleRootKey[]> {
    if (this.#known !== null && nowMs - this.#known.atMs < FRESH_MS) return this.#known.keys
    this.#asking ??= this.#ask(nowMs).finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(nowMs: number): Promise<readonly GoogleRootKey[]> {
    try {
      const answer = await this.#fetch(this.#url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      const keys = answer.ok ? readGoogleRootKeys((await answer.text()).slice(0, ANSWER_MAX_CHARS)) : null
      if (keys === null || keys.length === 0) throw new Error(`${this.#url} answered ${answer.status} without keys.`)
      this.#known = { keys, atMs: nowMs }
      return keys
    } catch (error) {
      if (this.#known === null) throw error
      return this.#known.keys
    }
  }
}
