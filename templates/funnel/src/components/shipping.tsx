import { useState } from 'preact/hooks'
import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, usePage, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** How the order is shipped: one of the store's options, which the platform prices. Nothing where nothing is shipped. */
export function Shipping({ order: { shipping, currency } }: { order: SessionOrder }) {
  const { order } = usePage()
  const [wanted, setWanted] = useState('')
  const t = useText()
  const money = useMoney()
  if (!shipping) return null

  /** Shown at once. Where it is refused, the former choice stands. */
  function choose(id: string): void {
    setWanted(id)
    void order
      .chooseShipping(id)
      .catch(() => {})
      .finally(() => setWanted(''))
  }

  return (
    <fieldset className="choice">
      <legend>{t(texts.shipping)}</legend>
      {shipping.options.length === 0 && <p className="problem">{t(texts.noShipping)}</p>}
      {shipping.options.map(({ id, name, description, amount }) => (
        <label key={id}>
          <input
            type="radio"
            name="shipping"
            checked={id === (wanted || shipping.optionId)}
            onChange={() => choose(id)}
          />
          <span>
            {name} {description !== '' && <small>{description}</small>}
          </span>
          <span>{amount === 0 ? t(texts.free) : money(amount, currency)}</span>
        </label>
      ))}
    </fieldset>
  )
}
