import type { ListedProcessor } from '@tillwright/platform'
import { facts, table } from '../terminal/align.ts'

/** One processor. */
export function showProcessor(processor: ListedProcessor): string {
  const { id, accountId, name, driver, merchant, apiUrl } = processor
  return facts([
    ['id', id],
    ['account', accountId],
    ['name', name],
    ['driver', driver],
    ['takes', takes(processor)],
    ['merchant', merchant === null ? '-' : `${merchant.merchantName} (${merchant.merchantId})`],
    ...(apiUrl === null ? [] : [['api', apiUrl] as const]),
    ['state', state(processor)],
  ])
}

/** An account's processors. */
export function showProcessors(processors: readonly ListedProcessor[]): string {
  if (processors.length === 0) return 'There are no processors yet; add one with "tillwright processors add".\n'
  return table(
    ['id', 'name', 'driver', 'takes', 'merchant', 'state', 'created'],
    processors.map((processor) => [
      processor.id,
      processor.name,
      processor.driver,
      takes(processor),
      processor.merchant?.merchantName ?? '-',
      state(processor),
      processor.createdAt,
    ]),
  )
}

function takes({ currencies, brands }: ListedProcessor): string {
  if (currencies === null && brands === null) return 'all'
  return `${brands?.join(' ') ?? 'all cards'} in ${currencies?.join(' ') ?? 'all currencies'}`
}

function state({ archivedAt }: ListedProcessor): string {
  return archivedAt === null ? 'live' : 'archived'
}
