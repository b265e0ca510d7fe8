import { isObject } from '@tillwright/contract/json'
import { isText, type Message, nullable, oneOf } from './guards.ts'

/**
 * How an authentication ended, as the platform tells it; `pending` when it is not over: with a bank that has not told its
 * result yet.
 */
const threedsOutcomes = [
  'authenticated',
  'attempted',
  'failed',
  'rejected',
  'cancelled',
  'timed_out',
  'unavailable',
  'informational',
  'pending',
] as const

/** How an authentication ended. */
export type ThreedsOutcome = (typeof threedsOutcomes)[number]

/**
 * The steps of an authentication, in this order; some may be left out, and none comes twice. `challenge` shows the
 * bank's page, `decoupled` that the bank asks in its app: never both.
 */
const threedsSteps = ['method', 'authenticate', 'challenge', 'decoupled', 'result'] as const

/** A step of an authentication. */
export type ThreedsStep = (typeof threedsSteps)[number]

/** Every message from the 3-D Secure frame to the page. */
export const threedsToPage = {
  /** `title` is what the frame calls itself, in the buyer's language. */
  step: { step: /* @__PURE__ */ oneOf(threedsSteps), title: isText },
  done: {
    outcome: /* @__PURE__ */ oneOf(threedsOutcomes),
    status: isText,
    transStatus: /* @__PURE__ */ nullable(isText),
  },
  /** `message` is the vault's own, in English; empty when the vault could not be reached. */
  failed: { message: isText },
  /** Sent back as it came: the frame is still there. */
  ping: {},
}

/** A message from the 3-D Secure frame to the page. */
export type ThreedsToPage = Message<typeof threedsToPage>

/** The sizes that a bank makes its page for, in CSS pixels: 250x400, 390x400, 500x600, 600x400, all there is. */
export const windowSizes = ['01', '02', '03', '04', '05'] as const

/** A challenge window size, by its code in EMV 3-D Secure. */
export type WindowSize = (typeof windowSizes)[number]

/** Every message from the page to the 3-D Secure frame. */
export type ThreedsToFrame =
  /** `windowSize` is a `WindowSize`, of which the vault is the judge. */
  | { type: 'start'; actionToken: string; windowSize: string }
  /** The page has done what a step asks of it: the frame may take the step. */
  | { type: 'go' }
  | { type: 'cancel' }
  /** To be sent back: the frame's process may have died, of which a page is not told. */
  | { type: 'ping' }

/**
 * Reads what came over a port. Written out, because the reader of the card form's many messages is a tenth of what the
 * 3-D Secure frame may weigh.
 *
 * @returns The message, or `null` for anything else; such data is dropped without an answer.
 */
export function parseThreedsToFrame(data: unknown): ThreedsToFrame | null {
  if (!isObject(data)) return null
  const { type, actionToken, windowSize } = data
  if (type === 'go' || type === 'cancel' || type === 'ping') return { type }
  return type === 'start' && isText(actionToken) && isText(windowSize) ? { type, actionToken, windowSize } : null
}

/**
 * The notice of the vault's notification page to the frame around it: the bank has sent the browser back. It is a hint
 * and never a result, for which the vault is asked. The page's `id`, the transaction's, says nothing that the iframe
 * which it comes from does not say already.
 */
export interface ThreedsNotice {
  tillwright: 'threeds'
  step: 'method' | 'challenge'
}

/** Whether a window message is the notice of this step. The caller checks its origin and source. */
export function isThreedsNotice(data: unknown, step: ThreedsNotice['step']): data is ThreedsNotice {
  return isObject(data) && data.tillwright === 'threeds' && data.step === step
}

/**
 * The sandbox of a bank's page: it may open its app or its help, never navigate the shop's page. The sandbox of a frame
 * holds for all frames in it, so the 3-D Secure frame around that page has the same one.
 */
export const ISSUER_SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups'
