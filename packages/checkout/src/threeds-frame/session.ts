import { parseThreedsToFrame, type ThreedsStep, type ThreedsToFrame, type ThreedsToPage } from '../wire/index.ts'
import type { ThreedsConfig } from './config.ts'
import { isIssuerUrl, openChallenge, runMethod } from './issuer-pages.ts'
import { browserData, type Challenge, delay, type SessionResult, vaultCaller } from './vault.ts'

/** How long to wait before the vault is asked again for a result that is not there after its own 8 s. */
const ASK_AGAIN_MS = 1_000

/** The context of a session. */
export interface SessionContext {
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
async function runSession(
  { actionToken, windowSize }: Omit<Extract<ThreedsToFrame, { type: 'start' }>, 'type'>,
  { config, dialog, onStep }: SessionContext,
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
    // The dialog goes with the frame: closing it here would fetch the keyboard, which the page has given back by then.
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

/** Authenticates for the page at the other end of the port: one session, from `start` to `done` or `failed`. */
export function servePage(port: MessagePort, config: ThreedsConfig, dialog: HTMLDialogElement): void {
  const post = (message: ThreedsToPage): void => port.postMessage(message)
  let go = (): void => {}
  const onStep = (step: ThreedsStep): Promise<void> => {
    post({ type: 'step', step, title: document.title })
    return new Promise((resolve) => {
      go = resolve
    })
  }
  port.onmessage = ({ data }) => {
    const message = parseThreedsToFrame(data)
    if (message?.type === 'go') go()
    if (message?.type === 'cancel') dialog.close()
    if (message?.type !== 'start') return
    runSession(message, { config, dialog, onStep }).then(
      (result) => post({ type: 'done', ...result }),
      (error: Error) => post({ type: 'failed', message: error.message }),
    )
  }
}

/** Authenticates in a page of its own, whose fragment is the action token, and leads back to the shop whatever comes out. */
export function returnToShop(config: ThreedsConfig, dialog: HTMLDialogElement): void {
  const leave = (): void => location.replace(config.returnUrl)
  const task = { actionToken: location.hash.slice(1), windowSize: '05' }
  void runSession(task, { config, dialog, onStep: async () => {} }).then(leave, leave)
}
