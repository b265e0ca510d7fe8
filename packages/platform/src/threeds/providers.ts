import type { ThreedsProviderName } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { askDirectory } from './ask-directory.ts'
import type { ThreedsProvider } from './provider.ts'
import type { SimulatedBank } from './simulated-bank.ts'

/** Who stands behind a provider's name; `null` where nobody does. */
export type ThreedsProviders = (name: ThreedsProviderName) => Promise<ThreedsProvider | null>

/** Seconds after which a caller may look again whether a provider has been configured. */
const RETRY_AFTER_S = 3_600

/** Where the simulated bank runs, both names lead to it. */
export function bankProviders(bank: Pick<SimulatedBank, 'answerAreq' | 'methodUrl'>): ThreedsProviders {
  const provider: ThreedsProvider = {
    authenticate: (request) => askDirectory(request, (sent) => bank.answerAreq(sent)),
    methodUrl: async ({ number }) => bank.methodUrl(number),
  }
  return async () => provider
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
