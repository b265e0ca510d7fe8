import type { BuyerSession, ShippingOption } from '@tillwright/plugin-sdk'
import { useCustomer, useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** How the goods can be sent. */
export interface Shipping {
  /** `null` before it is known. */
  options: readonly ShippingOption[] | null
  chosenId: string | null
  choose(id: string): void
}

/**
 * Tells the session which country the goods go to, because that decides how they can be sent and what it costs.
 *
 * @param country Empty as long as it is not known, or where nothing is sent.
 */
export function useShipping(country: string): Shipping {
  const page = usePage()
  const order = useOrder()
  const said = useCustomer()?.shippingAddress?.country ?? null
  const [wanted, setWanted] = useState<string | null>(null)
  const asked = useRef('')
  const shipping = order?.shipping ?? null
  const isOpen = order?.status === 'open'

  useEffect(() => {
    if (!isOpen || country === '' || said === country || asked.current === country) return
    asked.current = country // if it is refused, asking for ever would not help
    page.customer
      .setAddress({ shippingAddress: { country } })
      .catch(ignore)
      .finally(() => (asked.current = ''))
  }, [isOpen, country, said])
  return {
    options: shipping?.options ?? null,
    chosenId: wanted ?? shipping?.optionId ?? null,
    choose: (id) => {
      setWanted(id)
      page.order
        .chooseShipping(id)
        .catch(ignore)
        .finally(() => setWanted(null))
    },
  }
}

/** Whether the shop does not ship to the session's country. */
export function isUnreachable(view: Pick<BuyerSession, 'order' | 'customer'> | null): boolean {
  return view?.order.shipping?.optionId === null && !!view.customer.shippingAddress?.country
}

/** The session says by itself what was wrong, and the page shows it. */
function ignore(): void {}
