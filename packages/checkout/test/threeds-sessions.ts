import type { ThreedsOutcome, WindowSize } from '../src/index.ts'

/** A 3-D Secure session as a test wants it. */
export interface TestSession {
  /** Behaviour of the bank's method page; `null` for a bank without one. */
  method: 'notifies' | 'hangs' | null
  /** Outcome of a frictionless authentication; `null` if the bank requires a challenge. */
  frictionless: ThreedsOutcome | null
  /** Where the challenge is, instead of at the bank. */
  acsUrl: string | null
}

/** A session's state after its requests. */
export interface SessionState extends TestSession {
  outcome: ThreedsOutcome
  windowSize: WindowSize
  /** Bodies of the `authenticate` requests, oldest first. */
  authenticated: { browser: { challengeWindowSize: WindowSize }; methodCompletion: string }[]
}

/** How long a result is waited for, unless a test says less; 8 s at the real vault. */
export const PATIENCE_MS = 20_000

/** The sessions of the vault's double, by action token, which is also their transaction id. */
export class TestSessions {
  patienceMs = PATIENCE_MS
  readonly #states = new Map<string, SessionState>()
  readonly #waiting = new Set<() => void>()

  /** Makes a session and answers its action token. */
  open(wanted: Partial<TestSession> = {}): string {
    const token = `token-${this.#states.size + 1}`
    const usual = { method: null, frictionless: null, acsUrl: null } as const
    this.#states.set(token, { ...usual, ...wanted, outcome: 'pending', windowSize: '03', authenticated: [] })
    return token
  }

  knows(token: string): boolean {
    return this.#states.has(token)
  }

  state(token: string): SessionState {
    const state = this.#states.get(token)
    if (!state) throw new Error(`There is no session ${token}.`)
    return state
  }

  /** Tells how a session ended, as a bank does behind the buyer's back. */
  complete(token: string, outcome: ThreedsOutcome): void {
    this.state(token).outcome = outcome
    for (const wake of this.#waiting) wake()
  }

  /** Waits until a session is over, or patience is. */
  over(token: string): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const wake = (): void => {
        if (this.state(token).outcome !== 'pending') done()
      }
      const timer = setTimeout(done, this.patienceMs)
      this.#waiting.add(wake)
      wake()
    })
  }
}
