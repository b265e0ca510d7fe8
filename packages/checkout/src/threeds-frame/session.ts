import {
  ISSUER_SANDBOX,
  isThreedsNotice,
  parseThreedsToFrame,
  type ThreedsNotice,
  type ThreedsStep,
  type ThreedsToFrame,
  type ThreedsToPage,
} from '../wire/index.ts'
import type { ThreedsConfig } from './config.ts'
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

  /** It comes: a session ends half an hour after its bank has begun to ask. */
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
    if (message?.type === 'ping') post(message)
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

/**
 * Opens a page of the bank in an iframe of its own, as EMV 3DS wants it: by a form with one field.
 *
 * @param parent Where the iframe goes.
 */
function openIssuerPage(
  parent: Element,
  url: string,
  [name, value]: readonly [name: string, value: string],
): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  const form = document.createElement('form')
  const input = document.createElement('input')
  iframe.setAttribute('sandbox', ISSUER_SANDBOX)
  iframe.name = form.target = input.name = name
  input.value = value
  form.method = 'post'
  form.action = url
  form.append(input)
  parent.append(iframe, form)
  form.submit()
  form.remove()
  return iframe
}

/** Width and height in CSS pixels; `05` is larger than any window, to which the style cuts all of them. */
const windowSizesPx = {
  '01': ['250', '400'],
  '02': ['390', '400'],
  '03': ['500', '600'],
  '04': ['600', '400'],
  '05': ['9999', '9999'],
} as const

/**
 * Shows the bank's page in the document's modal dialog.
 *
 * @param asked `null` when the bank asks elsewhere: its document says so, in the dialog's last paragraph, which a page takes the place of.
 * @returns How it ended here: `cancel` when the dialog was closed, by its close mark, by Esc or by the page; `result`
 *   when the bank has sent the browser back.
 */
function openChallenge(asked: Challenge | null, dialog: HTMLDialogElement): Promise<'cancel' | 'result'> {
  return new Promise((resolve) => {
    dialog.onclose = () => resolve('cancel')
    dialog.showModal()
    if (!asked) return
    dialog.lastChild?.remove()
    const iframe = openIssuerPage(dialog, asked.acsUrl, ['creq', asked.creq])
    const [width, height] = windowSizesPx[asked.windowSize]
    iframe.width = width
    iframe.height = height
    iframe.title = document.title
    // The keyboard goes where the bank wants it: a page may move it within a frame that has it already, not fetch it.
    iframe.focus()
    // In WebKit a frame cannot hand the keyboard on before it was touched; the first Tab touches it, and goes on from
    // there.
    if (document.activeElement !== iframe)
      addEventListener('keydown', ({ key }) => key === 'Tab' && iframe.focus(), { once: true })
    iframe.contentWindow?.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.close()) // until it is there
    // A bank may say how high its page is; no higher than what it was promised is shown.
    addEventListener('message', ({ source, data }) => {
      if (source === iframe.contentWindow && data?.height > 0) iframe.height = `${Math.min(data.height, +height)}`
    })
    void awaitNotice(iframe, 'challenge').then(() => resolve('result'))
  })
}

/** The time limit of a bank's method page. Source: EMV 3DS, 5.8.1: at most 10 s. */
export const METHOD_TIMEOUT_MS = 10_000

/** The page with which a bank identifies the browser, and its data. */
export interface Method {
  url: string
  data: string
}

/**
 * Opens the bank's method page in a hidden iframe, and waits for its notification.
 *
 * @returns `threeDSCompInd`: whether it came in time.
 */
async function runMethod({ url, data }: Method, config: ThreedsConfig): Promise<'Y' | 'N'> {
  if (!isIssuerUrl(url, config)) return 'N'
  const iframe = openIssuerPage(document.body, url, ['threeDSMethodData', data])
  return Promise.race([
    awaitNotice(iframe, 'method').then(() => 'Y' as const),
    delay(METHOD_TIMEOUT_MS).then(() => 'N' as const),
  ])
}

/**
 * Waits until the vault's notification page has loaded in an iframe. Notices of the bank, of the shop's page and of
 * other origins are ignored, and so is one from another iframe of ours.
 */
function awaitNotice(iframe: HTMLIFrameElement, step: ThreedsNotice['step']): Promise<void> {
  return new Promise((resolve) => {
    // Never taken off: the window is this one authentication's and goes with it.
    addEventListener('message', ({ source, origin, data }) => {
      if (source === iframe.contentWindow && origin === location.origin && isThreedsNotice(data, step)) resolve()
    })
  })
}

/** The longest address of a bank's page. Source: EMV 3DS, acsURL and threeDSMethodURL: at most 2048 characters. */
const MAX_URL_LENGTH = 2_048

/** Whether a form may be sent to this address. `javascript:`, `data:` and whatever else a browser would run are none. */
export function isIssuerUrl(text: string, { issuers }: Pick<ThreedsConfig, 'issuers'>): boolean {
  return text.length <= MAX_URL_LENGTH && issuers.some((beginning) => text.startsWith(beginning))
}
