import type { WindowSize } from '../wire/threeds-to-frame.ts'
import type { ThreedsOutcome } from '../wire/threeds-to-page.ts'
import type { BrowserData } from './browser-data.ts'
import { delay } from './delay.ts'

/** How long one answer may take; the vault itself holds `result` for 20 s. */
export const ANSWER_TIMEOUT_MS = 30_000

/** The waits between tries, which double: 0.5 s, 1 s, 2 s. */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 2_000

/** What the vault answers about a session. */
export interface SessionResult {
  status: string
  transStatus: string | null
  outcome: ThreedsOutcome
}

/** What the bank's page is opened with. */
export interface Challenge {
  acsUrl: string
  creq: string
  windowSize: WindowSize
}

/**
 * The operations, by name: what each is sent besides the action token, and what it answers; `null` when the session is
 * not in the state that it needs (409).
 */
export interface Operations {
  start: { fields?: undefined; answer: { method: { url: string; data: string } | null } | null }
  authenticate: {
    fields: { browser: BrowserData; methodCompletion: 'Y' | 'N' | 'U' }
    answer: { transStatus: string | null; challenge: Challenge | null } | null
  }
  result: { fields?: undefined; answer: SessionResult }
  cancel: { fields?: undefined; answer: SessionResult }
}

/** Calls the vault for one session. */
export type CallVault = <N extends keyof Operations>(
  name: N,
  fields?: Operations[N]['fields'],
) => Promise<Operations[N]['answer']>

/**
 * Calls the vault's operations about one session; all of them may be repeated. Without an answer, with one of 5xx and
 * when we are too fast, a call is tried four times in all.
 *
 * @throws Error with the vault's reason; with an empty message when the vault could not be reached.
 */
export function vaultCaller(key: string, actionToken: string): CallVault {
  return async (name, fields) => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      const response = await fetch(`/api/vault/v1/threeds/${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ actionToken, ...fields }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      }).catch(() => null)
      // A gateway between us and the vault may answer in HTML.
      const answer = await response?.json().catch(() => null)
      if (response?.ok && answer) return answer
      if (response?.status === 409) return null
      // 429 and 5xx pass; what lies between them, nobody answers here.
      if (answer && response && response.status < 429) throw new Error(answer.message)
      if (waitMs > LAST_WAIT_MS) throw new Error()
      await delay(waitMs)
    }
  }
}
