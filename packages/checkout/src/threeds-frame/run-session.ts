import type { ThreedsToFrame } from '../wire/threeds-to-frame.ts'
import type { ThreedsStep } from '../wire/threeds-to-page.ts'
import { browserData } from './browser-data.ts'
import { vaultCaller, type Challenge, type SessionResult } from './call-vault.ts'
import { delay } from './delay.ts'
import { isIssuerUrl } from './is-issuer-url.ts'
import { openChallenge } from './open-challenge.ts'
import { runMethod } from './run-method.ts'
import type { ThreedsConfig } from './threeds-config.ts'

/** How long to wait before the vault is asked again for a result that is not there after its own 20 s. */
const ASK_AGAIN_MS = 1_000

/** What a session runs in. */
export interface SessionSurroundings {
  config: ThreedsConfig
  /** The document's dialog, for the bank's page. Closing it cancels. */
  dialog: HTMLDialogElement
  /** Called before each step, which waits for it. */
  onStep(step: ThreedsStep): Promise<void>
}

/**
 * Takes a session from wherever it is to its end: the bank's look at the browser, the authentication, the bank's page or
 * its question elsewhere where it wants one, and what the vault says of it all. A session that another tab, or this page before it was loaded
 * anew, has begun is carried on.
 *
 * @throws Error as `vaultCaller` says.
 */
export async function runSession(
  { actionToken, windowSize }: Omit<Extract<ThreedsToFrame, { type: 'start' }>, 'type'>,
  { config, dialog, onStep }: SessionSurroundings,
): Promise<SessionResult> {
  const call = vaultCaller(config.key, actionToken)
  const method = (await call('start'))?.method
  if (method) await onStep('method')
  const methodCompletion = method ? await runMethod(method, config) : 'U'
  await onStep('authenticate')
  for (;;) {
    const answer = await call('authenticate', { browser: browserData(windowSize), methodCompletion })
    if (answer?.challenge || answer?.transStatus === 'D') return ask(answer.challenge)
    // Without an answer the session is over already, or another tab is at it and may yet get a challenge for both.
    const result = await call('result')
    if (answer || result.outcome !== 'pending') {
      await onStep('result')
      return result
    }
  }

  async function ask(asked: Challenge | null): Promise<SessionResult> {
    if (asked && !isIssuerUrl(asked.acsUrl, config)) {
      return { ...(await call('cancel')), outcome: 'unavailable' }
    }
    await onStep(asked ? 'challenge' : 'decoupled')
    const end = await Promise.race([outcome(), openChallenge(asked, dialog)])
    dialog.close()
    await onStep('result')
    return typeof end === 'string' ? call(end) : end
  }

  /** It comes: a session has 30 minutes. */
  async function outcome(): Promise<SessionResult> {
    for (;;) {
      const result = await call('result')
      if (result.outcome !== 'pending') return result
      await delay(ASK_AGAIN_MS)
    }
  }
}
