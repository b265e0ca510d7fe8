import { isObject, isText } from './guards.ts'

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

/**
 * Reads what came over a port. Written out, because the reader of the card form's many messages is a tenth of what the
 * 3-D Secure frame may weigh.
 *
 * @returns The message, or `null` for anything else; such data is dropped without an answer.
 */
export function parseThreedsToFrame(data: unknown): ThreedsToFrame | null {
  if (!isObject(data)) return null
  const { type, actionToken, windowSize } = data
  if (type === 'go' || type === 'cancel') return { type }
  return type === 'start' && isText(actionToken) && isText(windowSize) ? { type, actionToken, windowSize } : null
}
