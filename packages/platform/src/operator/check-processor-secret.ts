import type { Environment } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'
import type { DriverName } from '../payments/routing/processors.ts'

/** Stripe's secret and restricted keys. Source: Stripe, "API keys". */
const STRIPE_KEY = /^[sr]k_(test|live)_[A-Za-z0-9_]{4,250}$/

/**
 * A processor's secret without the blanks around it, or `null` for one that needs none. Live keys belong into production
 * and test keys elsewhere.
 *
 * @throws {OperatorError} Which never contains the secret.
 */
export function checkProcessorSecret(
  secret: string | null,
  driver: DriverName,
  environment: Environment,
): string | null {
  if (driver === 'simulator') {
    if (secret === null) return null
    throw new OperatorError('--secret-from-stdin: the simulator has no secret; leave it out.')
  }
  const trimmed = secret?.trim() ?? ''
  if (trimmed === '') {
    throw new OperatorError(
      "--secret-from-stdin: Stripe's secret key is missing; pipe it in, or set TILLWRIGHT_PROCESSOR_SECRET.",
    )
  }
  const mode = STRIPE_KEY.exec(trimmed)?.[1]
  if (mode === undefined) {
    throw new OperatorError(
      "The secret is not a secret key of Stripe's: one begins with sk_ or rk_, then test_ or live_.",
    )
  }
  const wanted = environment === 'production' ? 'live' : 'test'
  if (mode === wanted) return trimmed
  throw new OperatorError(`The secret is a ${mode} key; ${environment} takes ${wanted} keys of Stripe's alone.`)
}
