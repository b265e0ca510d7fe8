import { pickLocale } from '../../locales/pick-locale.ts'
import { WIRE_VERSION, type Handshake } from '../../wire/handshake.ts'
import { parseMessage } from '../../wire/parse-message.ts'
import type { ThreedsToFrame } from '../../wire/threeds-to-frame.ts'
import { threedsToPage, type ThreedsOutcome, type ThreedsStep, type ThreedsToPage } from '../../wire/threeds-to-page.ts'
import { awaitHello } from '../await-hello.ts'
import type { CheckoutError, CheckoutErrorCode } from '../checkout-error.ts'
import type { Settings } from '../read-options.ts'
import { openCover } from './open-cover.ts'

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
export function runFrame(
  { actionToken, windowSize, onStep, returnUrl }: FrameTask,
  core: Core,
): Promise<Authentication> {
  const { vaultOrigin } = core.settings
  const id = crypto.randomUUID()
  const { port1, port2 } = new MessageChannel()
  const waiting = new AbortController()
  const post = (message: ThreedsToFrame): void => port1.postMessage(message)
  const cover = openCover(frameUrl(core.settings, id), () => post({ type: 'cancel' }))
  const running = new Promise<Authentication>((resolve, reject) => {
    const fail = (code: CheckoutErrorCode, message: string): void => reject(new core.CheckoutError(code, message))
    port1.onmessage = ({ data }) => {
      const message = parseMessage(threedsToPage, data)
      if (message) receive(message)
    }
    awaitHello({ iframe: cover.iframe, vaultOrigin, id }, waiting).then(greet, doWithout)
    // A second load means that the document with the bank's page, and its port, are gone.
    cover.iframe.addEventListener('load', () => (cover.iframe.onload = () => fail('frame_unavailable', RELOADED)), {
      once: true,
    })

    function doWithout(): void {
      if (returnUrl === '') return fail('frame_unavailable', REASONS)
      location.assign(`${frameUrl(core.settings, id)}&return=${encodeURIComponent(returnUrl)}#${actionToken}`)
    }

    function greet(): void {
      const answer: Handshake = { tillwright: 'port', v: WIRE_VERSION, id }
      cover.iframe.contentWindow?.postMessage(answer, vaultOrigin, [port2])
      post({ type: 'start', actionToken, windowSize })
    }

    function receive(message: ThreedsToPage): void {
      switch (message.type) {
        case 'step':
          if (message.step === 'challenge') cover.show(message.title)
          else cover.hide()
          post({ type: 'go' })
          return onStep(message.step)
        case 'done': {
          const { outcome, status, transStatus } = message
          return resolve({ outcome, status, transStatus })
        }
        case 'failed':
          return message.message === ''
            ? fail('network_failed', UNREACHABLE)
            : fail('argument_invalid', message.message)
      }
    }
  })
  return running.finally(() => {
    waiting.abort()
    port1.close()
    cover.remove()
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
