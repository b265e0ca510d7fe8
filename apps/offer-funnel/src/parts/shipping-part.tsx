import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useCustomer, useMoney, useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'

/**
 * How the order is sent: one of the store's options. Nothing where nothing is sent.
 *
 * @param country Where it goes, which decides what there is to choose from; empty if the buyer is not asked.
 */
export function ShippingPart({ country }: { country: string }): JSX.Element | null {
  const { customer, order } = usePage()
  const { shipping = null, currency = '', status } = useOrder() ?? {}
  const said = useCustomer()?.shippingAddress?.country ?? null
  const [wanted, setWanted] = useState<string | null>(null)
  const texts = useTexts()
  const money = useMoney()
  useEffect(() => {
    if (status !== 'open' || country === '' || country === said) return
    customer.setAddress({ shippingAddress: { country } }).catch(() => {}) // it is said again before the payment
  }, [status === 'open', country])
  if (shipping === null) return null
  const choose = (id: string): void => {
    setWanted(id) // shown at once; where it is refused, the former choice stands
    order
      .chooseShipping(id)
      .catch(() => {})
      .finally(() => setWanted(null))
  }
  return (
    <fieldset class="shipping">
      <legend>{texts.shippingHow}</legend>
      {shipping.options.length === 0 && <p class="problem">{texts.noShipping}</p>}
      {shipping.options.map(({ id, name, description, amount }) => (
        <label key={id}>
          <input
            type="radio"
            name="shipping"
            checked={id === (wanted ?? shipping.optionId)}
            onChange={() => choose(id)}
          />
          <span>
            {name} {description !== '' && <span class="muted">{description}</span>}
          </span>
          <span>{amount === 0 ? texts.free : money(amount, currency)}</span>
        </label>
      ))}
    </fieldset>
  )
}
