import type { PaymentMethodType } from '@tillwright/plugin-sdk'
import { openMethods } from '@tillwright/plugin-sdk/methods'
import { usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useMemo } from 'preact/hooks'
import type { Say } from '../texts/use-words.tsx'

/** The methods that the order can be paid with, in display order; see `openMethods` for when they change. */
export function useMethods(): readonly PaymentMethodType[] {
  const page = usePage()
  return useStore(useMemo(() => openMethods(page), [page]))
}

/** The display name of a method. Brands have the same name in every language. */
export function nameOfMethod(type: PaymentMethodType, say: Say): string {
  switch (type) {
    case 'ideal':
      return 'iDEAL'
    case 'paypal':
      return 'PayPal'
    case 'card':
    case 'sepa_debit':
    case 'voucher':
    case 'none':
      return say(type)
  }
}
