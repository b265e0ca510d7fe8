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
}

/** The authentications that are under way, by token, so that two calls show one page of the bank. */
const underWay = new Map<string, Promise<Authentication>>()

/** `Checkout.authenticate`, loaded when it is needed: the one export of this module. */
export async function authenticate(
  actionToken: string,
  options: AuthenticateOptions,
  core: Core,
): Promise<Authentication> {
  const { windowSize = pickWindowSize(innerWidth), onStep = () => {}, returnUrl = '' } = options
  const wrong = complaint({ actionToken, windowSize, onStep, returnUrl })
  if (wrong) throw new core.CheckoutError('argument_invalid', wrong)
  const running = underWay.get(actionToken) ?? runFrame({ actionToken, windowSize, onStep, returnUrl }, core)
  underWay.set(actionToken, running)
  return running.finally(() => underWay.delete(actionToken))
}

/** The fault of the arguments, or `null`: scripts without types may pass anything. */
function complaint({ actionToken, windowSize, onStep, returnUrl }: Record<keyof FrameTask, unknown>): string | null {
  if (!isText(actionToken) || actionToken === '') {
    return 'authenticate() needs the actionToken of a payment that requires action; your server has it.'
  }
  if (!isWindowSize(windowSize)) return `windowSize must be one of ${windowSizes.join(', ')}.`
  if (!isText(returnUrl) || (returnUrl !== '' && !returnUrl.startsWith(`${location.origin}/`))) {
    return "returnUrl must be an address of this page's own origin."
  }
  return typeof onStep === 'function' ? null : 'onStep must be a function.'
}

const isWindowSize = oneOf(windowSizes)
