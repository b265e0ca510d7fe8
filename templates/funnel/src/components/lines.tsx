import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** The lines of an order, and what it costs. */
export function Lines({ order }: { order: SessionOrder }) {
  const t = useText()
  const money = useMoney()
  const { amount, currency, discountAmount, lines } = order
  return (
    <ul className="lines">
      {lines.map(({ variantId, priceId, name, quantity, unitAmount }) => (
        <li key={`${variantId} ${priceId}`}>
          <span>
            {quantity} × {name}
          </span>
          <span>{money(unitAmount * quantity, currency)}</span>
        </li>
      ))}
      {discountAmount > 0 && (
        <li>
          <span>{t(texts.discount)}</span>
          <span>{money(-discountAmount, currency)}</span>
        </li>
      )}
      <li className="total">
        <span>{t(texts.total)}</span>
        <span>{money(amount, currency)}</span>
      </li>
    </ul>
  )
}
