import {
  type AvailableThreedsProvider,
  type Contract,
  threedsProvider,
  type ThreedsProviderName,
} from '@tillwright/contract'
import { findAccount } from '../accounts/index.ts'
import type { Handlers, RequestContext } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import type { ThreedsServer } from './threeds-server.ts'

/**
 * The operations on 3-D Secure providers. They serve all accounts and the platform speaks to their directory servers
 * with its own certificate, so that addresses, files and ids of the operator are neither set nor shown here.
 */
export function threedsProviders(
  server: Pick<ThreedsServer, 'providers' | 'networksOf'>,
): Handlers<Contract['threedsProviders']> {
  return {
    async list(_, context) {
      const selected = await selectedProvider(context)
      const data = await Promise.all(threedsProvider.options.map((name) => offered(name, selected, server)))
      return { body: { data } }
    },
    async get({ params }, context) {
      const name = threedsProvider.options.find((each) => each === params.provider)
      if (name === undefined)
        throw missing('3-D Secure provider', params.provider, { param: 'provider', place: 'here' })
      return { body: await offered(name, await selectedProvider(context), server) }
    },
  }
}

async function selectedProvider({ caller, services }: RequestContext): Promise<ThreedsProviderName | null> {
  return (await findAccount(services.db, caller.accountId))?.threedsProvider ?? null
}

async function offered(
  name: ThreedsProviderName,
  selected: ThreedsProviderName | null,
  { providers, networksOf }: Pick<ThreedsServer, 'providers' | 'networksOf'>,
): Promise<AvailableThreedsProvider> {
  const [provider, networks] = await Promise.all([providers(name), networksOf(name)])
  return { provider: name, configured: provider !== null, networks, selected: name === selected }
}
