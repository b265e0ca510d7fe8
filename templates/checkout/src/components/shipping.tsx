import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, usePage, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** How the order is shipped: one of the store's options, which the platform prices. Nothing where nothing is shipped. */
export function Shipping({ order: { shipping, currency } }: { order: SessionOrder }) {
  const { order } = usePage()
  const t = useText()
  const money = useMoney()
  // Where nobody answers, the session says so, and the former choice stands.
  const choose = (id: string) => void order.chooseShipping(id).catch(() => {})
  if (!shipping) return null
  return (
    <fieldset className="shipping">
      <legend>{t(texts.shipping)}</legend>
      {shipping.options.length === 0 && <p className="problem">{t(texts.noShipping)}</p>}
      {shipping.options.map(({ id, name, description, amount }) => (
        <label key={id}>
          <input type="radio" name="shipping" checked={id === shipping.optionId} onChange={() => choose(id)} />
          <span>
            {name} {description !== '' && <small>{description}</small>}
          </span>
          <span>{amount === 0 ? t(texts.free) : money(amount, currency)}</span>
        </label>
      ))}
    </fieldset>
  )
}
