import { isText, oneOf, type ThreedsStep, type WindowSize, windowSizes } from '../../wire/index.ts'
import { type Authentication, type Core, type FrameTask, pickWindowSize, runFrame } from './frame.ts'

/** Options of `checkout.authenticate()`. */
export interface AuthenticateOptions {
  /** The size of the bank's page; by default 500x600, and all there is on a telephone. */
  windowSize?: WindowSize
  /**
   * Where the buyer comes back to, an address of this origin, when the page cannot hold the vault's frame and so the
   * whole window has to go to the vault. Without it such a page gets `frame_unavailable`; with it the page at this
   * address goes on. The promise settles only if the buyer comes back by Back: it is rejected with `frame_unavailable`.
   */
  returnUrl?: string
  /** Called before each step; of `challenge` and `decoupled` alone the buyer sees anything. */
  onStep?: (step: ThreedsStep) => void
  /**
   * Ends the call when the buyer leaves for another view of the page: the bank's page goes, and the promise is rejected with
   * the signal's reason. It cancels nothing: a later call goes on where this one was.
   */
  signal?: AbortSignal
}

/** An authentication that is under way in this page. */
interface UnderWay {
  end: Promise<Authentication>
  /** The calls that wait for it, as what tells each of a step. */
  calls: Set<(step: ThreedsStep) => void>
  /** Aborted when it has ended, or when no call waits for it any more. */
  over: AbortController
}

/** The authentications that are under way, by token, so that two calls show one page of the bank. */
const underWay = new Map<string, UnderWay>()

/** `Checkout.authenticate`, loaded when it is needed: the one export of this module. */
export async function authenticate(
  actionToken: string,
  options: AuthenticateOptions,
  core: Core,
): Promise<Authentication> {
  const { windowSize = pickWindowSize(innerWidth), onStep = () => {}, returnUrl = '', signal } = options
  const wrong = complaint({ actionToken, windowSize, onStep, returnUrl, signal })
  if (wrong) throw new core.CheckoutError('argument_invalid', wrong)
  if (signal?.aborted) throw signal.reason
  const running = underWay.get(actionToken) ?? begin({ actionToken, windowSize, returnUrl }, core)
  const tell = (step: ThreedsStep): void => onStep(step) // of this call alone, whoever else passes the function
  running.calls.add(tell)
  return new Promise((resolve, reject) => {
    running.end.then(resolve, reject)
    const leave = (): void => {
      running.calls.delete(tell)
      if (!running.calls.size) running.over.abort()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { signal: running.over.signal })
  })
}

function begin(task: Omit<FrameTask, 'calls' | 'over'>, core: Core): UnderWay {
  const over = new AbortController()
  const calls: UnderWay['calls'] = new Set()
  const end = runFrame({ ...task, calls, over: over.signal }, core)
  const begun = { end, calls, over }
  underWay.set(task.actionToken, begun)
  over.signal.addEventListener('abort', () => underWay.delete(task.actionToken))
  const finish = (): void => over.abort()
  end.then(finish, finish)
  return begun
}

/** The fault of the arguments, or `null`: scripts without types may pass anything. */
function complaint(given: Record<'actionToken' | keyof AuthenticateOptions, unknown>): string | null {
  const { actionToken, windowSize, onStep, returnUrl, signal } = given
  if (!isText(actionToken) || actionToken === '') {
    return 'authenticate() needs the actionToken of a payment that requires action; your server has it.'
  }
  if (!isWindowSize(windowSize)) return `windowSize must be one of ${windowSizes.join(', ')}.`
  if (!isText(returnUrl) || (returnUrl !== '' && !returnUrl.startsWith(`${location.origin}/`))) {
    return "returnUrl must be an address of this page's own origin."
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) return 'signal must be an AbortSignal.'
  return typeof onStep === 'function' ? null : 'onStep must be a function.'
}

const isWindowSize = oneOf(windowSizes)
