import { allowsOrigin } from '../ambient/allows-origin.ts'
import { ApiError } from '../ambient/api-error.ts'

/** How far the clock of a buyer's device may be off, either way, in seconds. */
const CLOCK_TOLERANCE_S = 300

/**
 * Checks that a message was encrypted here and now.
 *
 * @param message `iat` is Unix time in seconds, `origin` that of the page that holds the frame.
 * @param allowedOrigins The origins of the pages that the caller's key may stand in.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_expired` for one that is too old, `token_invalid` for one from the future or elsewhere.
 */
export function checkFresh(
  message: { iat: number; origin: string },
  allowedOrigins: readonly string[],
  nowMs: number,
): void {
  const ageS = nowMs / 1_000 - message.iat
  if (ageS > CLOCK_TOLERANCE_S) {
    throw new ApiError('token_expired', 'The card was encrypted more than five minutes ago; encrypt it again.')
  }
  if (ageS < -CLOCK_TOLERANCE_S) {
    throw new ApiError(
      'token_invalid',
      "The card was encrypted in the future; the device's clock is more than five minutes fast.",
    )
  }
  if (allowsOrigin(allowedOrigins, message.origin)) return
  throw new ApiError(
    'token_invalid',
    "The card was typed in a page whose origin is not among the key's allowed origins.",
  )
}
