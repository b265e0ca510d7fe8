import { pickLocale } from '../../locales/pick-locale.ts'
import { WIRE_VERSION, type Handshake } from '../../wire/handshake.ts'
import { parseMessage } from '../../wire/parse-message.ts'
import type { ThreedsToFrame } from '../../wire/threeds-to-frame.ts'
import { threedsToPage, type ThreedsOutcome, type ThreedsStep, type ThreedsToPage } from '../../wire/threeds-to-page.ts'
import type { CheckoutError } from '../checkout-error.ts'
import type { Settings } from '../read-options.ts'
import { awaitHello } from './await-hello.ts'
import { openCover, type Cover } from './open-cover.ts'

/** How an authentication ended. It is there to be shown: what counts is what your server is told. */
export interface Authentication {
  outcome: ThreedsOutcome
  /** The session's status. */
  status: string
  /** EMV 3DS `transStatus`: `Y`, `A`, `N`, `U`, `R`, `I`, `C`, `D`; `null` before the bank has said anything. */
  transStatus: string | null
}

/** What this part is given by the core, which stays one copy. */
export interface Core {
  settings: Settings
  CheckoutError: typeof CheckoutError
}

/** What the frame has to do, and who hears of it. */
export interface FrameTask {
  actionToken: string
  windowSize: string
  /** Empty for none. */
  returnUrl: string
  onStep: (step: ThreedsStep) => void
}

/** Runs one authentication in a 3-D Secure frame, which is gone when the promise is settled. */
export async function runFrame(task: FrameTask, { settings, CheckoutError: Failure }: Core): Promise<Authentication> {
  const { vaultOrigin } = settings
  const id = crypto.randomUUID()
  const url = frameUrl(settings, id)
  const { port1, port2 } = new MessageChannel()
  const cover = openCover(url, () => port1.postMessage({ type: 'cancel' } satisfies ThreedsToFrame))
  const reload = secondLoad(cover.iframe)
  try {
    if (!(await awaitHello({ iframe: cover.iframe, vaultOrigin, id }))) {
      if (task.returnUrl === '') throw new Failure('frame_unavailable', REASONS)
      location.assign(`${url}&return=${encodeURIComponent(task.returnUrl)}#${task.actionToken}`)
      return await new Promise(() => {}) // the page goes
    }
    const answer: Handshake = { tillwright: 'port', v: WIRE_VERSION, id }
    cover.iframe.contentWindow?.postMessage(answer, vaultOrigin, [port2])
    const end = await Promise.race([converse(port1, task, cover), reload])
    if (!end) throw new Failure('frame_unavailable', RELOADED)
    if (end.type === 'done') return { outcome: end.outcome, status: end.status, transStatus: end.transStatus }
    throw end.message === '' ? new Failure('network_failed', UNREACHABLE) : new Failure('argument_invalid', end.message)
  } finally {
    port1.close()
    cover.remove()
  }
}

/** Has the frame authenticate, and does in the page what each of its steps asks for, until the frame has an answer. */
function converse(
  port: MessagePort,
  { actionToken, windowSize, onStep }: FrameTask,
  cover: Cover,
): Promise<Exclude<ThreedsToPage, { type: 'step' }>> {
  const post = (message: ThreedsToFrame): void => port.postMessage(message)
  post({ type: 'start', actionToken, windowSize })
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => {
      const message = parseMessage(threedsToPage, data)
      if (!message) return
      if (message.type !== 'step') return resolve(message)
      if (message.step === 'challenge' || message.step === 'decoupled') cover.show(message.title)
      else cover.hide()
      post({ type: 'go' })
      onStep(message.step)
    }
  })
}

/** A second load means that the document with the bank's page, and its port, are gone. */
function secondLoad(iframe: HTMLIFrameElement): Promise<null> {
  return new Promise((resolve) => {
    let isLoaded = false
    iframe.addEventListener('load', () => {
      if (isLoaded) resolve(null)
      isLoaded = true
    })
  })
}

const REASONS =
  "The 3-D Secure frame did not load: the vault is down, the page's CSP lacks it in frame-src, or the key does not list this origin."
const RELOADED = 'The 3-D Secure frame was loaded anew; call authenticate() again.'
const UNREACHABLE = 'The vault could not be reached; call authenticate() again, it goes on where it was.'

function frameUrl({ vaultOrigin, publishableKey, options }: Settings, id: string): string {
  const query = new URLSearchParams({
    key: publishableKey,
    origin: location.origin,
    id,
    locale: pickLocale(options.locale),
  })
  return `${vaultOrigin}/v1/threeds?${query}`
}
