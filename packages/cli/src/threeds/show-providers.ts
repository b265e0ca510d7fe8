import type { ListedThreedsProvider } from '@tillwright/platform'
import { facts, table } from '../terminal/align.ts'

/** One 3-D Secure provider. */
export function showProvider(provider: ListedThreedsProvider): string {
  const {
    name,
    serverReferenceNumber,
    serverOperatorId,
    requestorId,
    clientCertificate,
    resultCertificates,
    resultsRefused,
    createdAt,
  } = provider
  return facts([
    ['provider', name],
    ['server reference', serverReferenceNumber],
    ['server operator', serverOperatorId ?? '-'],
    ['requestor', requestorId ?? "the account's id"],
    ['directories', directories(provider)],
    ['certificate', clientCertificate ?? '-'],
    ['results from', resultCertificates ?? '-'],
    ...(resultsRefused === null ? [] : [['results', `refused: ${resultsRefused}`] as const]),
    ['created', createdAt],
  ])
}

/** All 3-D Secure providers that are configured. */
export function showProviders(providers: readonly ListedThreedsProvider[]): string {
  if (providers.length === 0) return 'No 3-D Secure provider is configured; add one with "tillwright threeds add".\n'
  return table(
    ['provider', 'server reference', 'directories', 'results', 'created'],
    providers.map((provider) => [
      provider.name,
      provider.serverReferenceNumber,
      directories(provider),
      provider.resultsRefused === null ? 'taken' : 'refused',
      provider.createdAt,
    ]),
  )
}

function directories({ url, networkUrls }: ListedThreedsProvider): string {
  const own = Object.entries(networkUrls).map(([network, each]) => `${network}=${each}`)
  return [...(url === null ? [] : [url]), ...own].join(' ')
}
