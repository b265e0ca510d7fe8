import type { Environment, ThreedsProviderName } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import { answerAsVendorA } from './engine/answer-as-vendor-a.ts'
import { answerAsVendorB } from './engine/answer-as-vendor-b.ts'
import { simulateAuthentication } from './engine/simulate-authentication.ts'
import type { AuthenticationRequest, ThreedsProvider } from './provider.ts'
import { vendorA } from './vendors/vendor-a.ts'
import { vendorB } from './vendors/vendor-b.ts'

/** Who stands behind each provider's name; `null` where nobody does. */
export type ThreedsProviders = Readonly<Record<ThreedsProviderName, ThreedsProvider | null>>

/** Where a platform runs. `challengeUrl` is the address under which the built-in engine's challenges take place. */
export interface ThreedsSurroundings {
  environment: Environment
  challengeUrl: string
}

/** Seconds after which a caller may look again whether a provider has been configured. */
const RETRY_AFTER_S = 3_600

/**
 * The providers of an environment. In `local` and `development` both names lead to the built-in engine, which answers
 * in the words of either vendor. It authenticates nobody, so it is not to be had in production.
 */
export function threedsProviders({ environment, challengeUrl }: ThreedsSurroundings): ThreedsProviders {
  if (environment === 'production') return { vendor_a: null, vendor_b: null }
  const engine = async (request: AuthenticationRequest) => simulateAuthentication(request, challengeUrl)
  const methodUrl = async () => null // the engine's issuer has no method page
  return {
    vendor_a: { methodUrl, ...vendorA(async (request) => answerAsVendorA(await engine(request))) },
    vendor_b: { methodUrl, ...vendorB(async (request) => answerAsVendorB(await engine(request))) },
  }
}

/** @throws {ApiError} `unavailable` where nobody stands behind the name. */
export function requireProvider(name: ThreedsProviderName, providers: ThreedsProviders): ThreedsProvider {
  const provider = providers[name]
  if (provider !== null) return provider
  throw new ApiError('unavailable', `The 3-D Secure provider '${name}' is not configured here; ask the operator.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  })
}
