import { formatPeriod, type SessionOrder } from '@tillwright/plugin-sdk'
import { useLocale, useMoney } from '@tillwright/plugin-sdk/preact'

/** What is paid again every period, where a price stands without the lines of the order: buyers agree to that too. */
export function Recurring({ order }: { order: SessionOrder }) {
  const money = useMoney()
  const locale = useLocale()
  return (
    <>
      {order.lines.map(
        ({ variantId, priceId, name, quantity, unitAmount, recurring }) =>
          recurring && (
            <span className="recurring" key={`${variantId} ${priceId}`}>
              {quantity} × {name} {money(unitAmount * quantity, order.currency)} {formatPeriod(recurring, locale)}
            </span>
          ),
      )}
    </>
  )
}
