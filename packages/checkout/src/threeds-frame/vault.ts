import type { ThreedsOutcome, WindowSize } from '../wire/index.ts'

/** How long one answer may take; the vault itself holds `result` for 8 s. */
const ANSWER_TIMEOUT_MS = 30_000

/** The waits between tries, which double: 0.5 s, 1 s, 2 s. */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 2_000

/** The result of a session. */
export interface SessionResult {
  status: string
  transStatus: string | null
  outcome: ThreedsOutcome
}

/** The parameters of the bank's challenge page. */
export interface Challenge {
  acsUrl: string
  creq: string
  windowSize: WindowSize
}

/**
 * The operations, by name: the fields of each, in addition to the action token, and its answer; `null` if the session
 * is not in the required state (409).
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
      // 429 and 5xx are temporary; no status between them is used here.
      if (answer && response && response.status < 429) throw new Error(answer.message)
      if (waitMs > LAST_WAIT_MS) throw new Error()
      await delay(waitMs)
    }
  }
}

/** Settles after some milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The buyer's browser, for the bank. Source: EMV 3DS, the `browser...` fields of the AReq. */
export interface BrowserData {
  /** No browser that we serve runs Java. */
  javaEnabled: false
  /** BCP 47. */
  language: string
  /** Bits per pixel. */
  colorDepth: number
  /** CSS pixels. */
  screenHeight: number
  /** CSS pixels. */
  screenWidth: number
  /** UTC minus local time, in minutes: -60 in Berlin in winter. */
  timeZoneOffset: number
  /** A `WindowSize`. */
  challengeWindowSize: string
}

/** Reads the browser's data; the vault fits them to EMV's limits. */
export function browserData(challengeWindowSize: string): BrowserData {
  return {
    javaEnabled: false,
    language: navigator.language,
    colorDepth: screen.colorDepth,
    screenHeight: screen.height,
    screenWidth: screen.width,
    timeZoneOffset: new Date().getTimezoneOffset(),
    challengeWindowSize,
  }
}
