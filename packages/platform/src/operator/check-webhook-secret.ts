import { OperatorError } from '../ambient/operator-error.ts'
import type { DriverName } from '../payments/routing/processors.ts'

/** The signing secret of an endpoint. Source: Stripe, "Verify webhook signatures". */
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/=_-]{16,250}$/

/**
 * The secret that Stripe signs its events with, without the blanks around it.
 *
 * @throws {OperatorError} Which never contains the secret.
 */
export function checkWebhookSecret(secret: string | null, driver: DriverName): string {
  if (driver !== 'stripe') {
    throw new OperatorError('The simulator sends no events, so it has no signing secret; name a processor of Stripe.')
  }
  const trimmed = secret?.trim() ?? ''
  if (SIGNING_SECRET.test(trimmed)) return trimmed
  throw new OperatorError(
    "--secret-from-stdin: Stripe's signing secret begins with whsec_; pipe it in, or set TILLWRIGHT_PROCESSOR_SECRET.",
  )
}
