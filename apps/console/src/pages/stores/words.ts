import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead } from '../../api/query.ts'
import type { Described } from '../../forms/save.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

/** A store as the API answers it. */
export type StoreDetails = ResponseOf<Contract['stores']['get']>

/** The payment flows that a store may have; none where the member may not read them. */
export function useFlows(): readonly { id: string; name: string }[] {
  const read = useRead('paymentFlows.search', useMay()('paymentFlows.search') ? { limit: 100 } : null)
  return read.data?.data ?? []
}

/** A store in words, to compare two versions of it. */
export function describeStore(store: StoreDetails): Described {
  return [
    [text('name'), store.name],
    [text('baseCurrency'), store.baseCurrency ?? ''],
    [text('chargeCurrencies'), store.chargeCurrencies ?? ''],
    [text('presentmentCurrencies'), store.presentmentCurrencies ?? ''],
    [text('flow'), store.selectedPaymentFlowId ?? ''],
    [text('customThankYouUrl'), store.customThankYouUrl ?? ''],
    [text('multiple'), shared(`filter.${store.multipleSubscriptionsPerCustomerEnabled}`)],
  ]
}
