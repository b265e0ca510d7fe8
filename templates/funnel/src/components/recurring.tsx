import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, useText } from '@tillwright/plugin-sdk/preact'
import { period } from '../rules/period.ts'

/** What is paid again every period, where a price stands without the lines of the order: buyers agree to that too. */
export function Recurring({ order }: { order: SessionOrder }) {
  const t = useText()
  const money = useMoney()
  return (
    <>
      {order.lines.map(
        ({ variantId, priceId, name, quantity, unitAmount, recurring }) =>
          recurring && (
            <span className="recurring" key={`${variantId} ${priceId}`}>
              {quantity} × {name} {money(unitAmount * quantity, order.currency)} {t(period(recurring))}
            </span>
          ),
      )}
    </>
  )
}
