import type { ThreedsProviderName } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import { answerAsVendorA } from './engine/answer-as-vendor-a.ts'
import { answerAsVendorB } from './engine/answer-as-vendor-b.ts'
import { askEngine } from './engine/ask-engine.ts'
import type { ThreedsEngine } from './engine/threeds-engine.ts'
import type { ThreedsProvider } from './provider.ts'
import { vendorA } from './vendors/vendor-a.ts'
import { vendorB } from './vendors/vendor-b.ts'

/** Who stands behind each provider's name; `null` where nobody does. */
export type ThreedsProviders = Readonly<Record<ThreedsProviderName, ThreedsProvider | null>>

/** Seconds after which a caller may look again whether a provider has been configured. */
const RETRY_AFTER_S = 3_600

/**
 * The providers of a platform. Where the built-in engine runs, both names lead to it, and it answers in the words of
 * either vendor.
 *
 * @param engine `null` in production: it authenticates nobody.
 */
export function threedsProviders(engine: ThreedsEngine | null): ThreedsProviders {
  if (engine === null) return { vendor_a: null, vendor_b: null }
  const methodUrl = async (cardNumber: string) => engine.methodUrl(cardNumber)
  return {
    vendor_a: { ...vendorA(async (request) => answerAsVendorA(await askEngine(request, engine))), methodUrl },
    vendor_b: { ...vendorB(async (request) => answerAsVendorB(await askEngine(request, engine))), methodUrl },
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
