import type { ThreedsProviderName } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { ThreedsEngine } from './engine/threeds-engine.ts'
import type { ThreedsProvider } from './provider.ts'
import { authenticatorOf } from './vendors/authenticator-of.ts'

/** Who stands behind a provider's name; `null` where nobody does. */
export type ThreedsProviders = (name: ThreedsProviderName) => Promise<ThreedsProvider | null>

/** Seconds after which a caller may look again whether a provider has been configured. */
const RETRY_AFTER_S = 3_600

/** Where the built-in engine runs, both names lead to it, and it answers in the words of either vendor. */
export function engineProviders(engine: Pick<ThreedsEngine, 'answerAreq' | 'methodUrl'>): ThreedsProviders {
  const providerOf = (name: ThreedsProviderName): ThreedsProvider => ({
    ...authenticatorOf(name, (sent) => engine.answerAreq(sent)),
    methodUrl: async ({ number }) => engine.methodUrl(number),
  })
  const providers = { vendor_a: providerOf('vendor_a'), vendor_b: providerOf('vendor_b') }
  return async (name) => providers[name]
}

/** @throws {ApiError} `unavailable` where nobody stands behind the name. */
export async function requireProvider(
  name: ThreedsProviderName,
  providers: ThreedsProviders,
): Promise<ThreedsProvider> {
  const provider = await providers(name)
  if (provider !== null) return provider
  throw new ApiError('unavailable', `The 3-D Secure provider '${name}' is not configured here; ask the operator.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  })
}
