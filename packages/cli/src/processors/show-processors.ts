import type { ListedProcessor } from '@tillwright/platform'
import { facts, table } from '../terminal/align.ts'

/** One processor. */
export function showProcessor(processor: ListedProcessor): string {
  const { id, accountId, name, driver, merchant, driverSettings, stopped } = processor
  return facts([
    ['id', id],
    ['account', accountId],
    ['name', name],
    ['driver', driver],
    ['takes', takes(processor)],
    ['merchant', merchant === null ? '-' : `${merchant.merchantName} (${merchant.merchantId})`],
    ...Object.entries(driverSettings).map(([setting, value]) => [setting, String(value)] as const),
    ['state', state(processor)],
    ...(stopped === null ? [] : [['stopped', `${stopped}; no payment goes through it`] as const]),
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

function state({ archivedAt, stopped }: ListedProcessor): string {
  if (archivedAt !== null) return 'archived'
  return stopped === null ? 'live' : 'stopped'
}
