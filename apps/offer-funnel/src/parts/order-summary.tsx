import { useLocale, useMoney } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { formatPeriod, type SessionOrder } from '@tillwright/plugin-sdk'
import { useTexts } from '../flow/funnel-context.ts'

/** The lines of an order with what comes off, what is added, and the total. */
export function OrderSummary({ order }: { order: SessionOrder }): JSX.Element {
  const { currency } = order
  const texts = useTexts()
  const money = useMoney()
  const locale = useLocale()
  const later = order.lines.reduce((sum, { deferredAmount }) => sum + deferredAmount, 0)
  const shipping = order.shippingAmount - order.shippingDiscount
  const isSent = order.shipping !== null && order.shipping.optionId !== null
  return (
    <dl class="summary">
      {order.lines.map((line) => (
        <div key={`${line.variantId} ${line.priceId} ${line.promotionId}`}>
          <dt>
            {line.name} <span class="muted times">× {line.quantity}</span>
          </dt>
          <dd>
            {money(line.unitAmount * line.quantity, currency)}
            {line.recurring !== null && <span class="muted"> {formatPeriod(line.recurring, locale)}</span>}
          </dd>
        </div>
      ))}
      {order.discountAmount > 0 && (
        <div class="saving">
          <dt>{order.promotions.applied.map(({ name }) => name).join(', ') || texts.discount}</dt>
          <dd>{money(-order.discountAmount, currency)}</dd>
        </div>
      )}
      {isSent && (
        <div>
          <dt>{texts.shipping}</dt>
          <dd>{shipping === 0 ? texts.free : money(shipping, currency)}</dd>
        </div>
      )}
      {order.taxAmount > 0 && (
        <div>
          <dt>{texts.tax}</dt>
          <dd>{money(order.taxAmount, currency)}</dd>
        </div>
      )}
      {later > 0 && (
        <div>
          <dt>{texts.later}</dt>
          <dd>{money(later, currency)}</dd>
        </div>
      )}
      <div class="total">
        <dt>{texts.total}</dt>
        <dd>{money(order.amount, currency)}</dd>
      </div>
    </dl>
  )
}
