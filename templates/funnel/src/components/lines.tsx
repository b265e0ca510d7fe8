import { formatPeriod, type SessionOrder } from '@tillwright/plugin-sdk'
import { useLocale, useMoney, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** The lines of an order and, unless the page has a total of its own, what it costs. */
export function Lines({ order, hasTotal = true }: { order: SessionOrder; hasTotal?: boolean }) {
  const t = useText()
  const money = useMoney()
  const locale = useLocale()
  const { amount, currency, discountAmount, lines, shipping, taxAmount } = order
  const later = lines.reduce((sum, { deferredAmount }) => sum + deferredAmount, 0)
  const shippingCost = order.shippingAmount - order.shippingDiscount
  return (
    <ul className="lines">
      {lines.map(({ variantId, priceId, name, quantity, unitAmount, recurring }) => (
        <li key={`${variantId} ${priceId}`}>
          <span>
            {quantity} × {name}
          </span>
          <span>
            {money(unitAmount * quantity, currency)}
            {recurring && ` ${formatPeriod(recurring, locale)}`}
          </span>
        </li>
      ))}
      {discountAmount > 0 && (
        <li>
          <span>{t(texts.discount)}</span>
          <span>{money(-discountAmount, currency)}</span>
        </li>
      )}
      {shipping?.optionId && (
        <li>
          <span>{t(texts.shipping)}</span>
          <span>{shippingCost === 0 ? t(texts.free) : money(shippingCost, currency)}</span>
        </li>
      )}
      {taxAmount > 0 && (
        <li>
          <span>{t(texts.tax)}</span>
          <span>{money(taxAmount, currency)}</span>
        </li>
      )}
      {later > 0 && (
        <li>
          <span>{t(texts.later)}</span>
          <span>{money(later, currency)}</span>
        </li>
      )}
      {hasTotal && (
        <li className="total">
          <span>{t(texts.total)}</span>
          <span>{money(amount, currency)}</span>
        </li>
      )}
    </ul>
  )
}
