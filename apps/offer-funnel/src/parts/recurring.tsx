import { formatPeriod, type SessionOrder } from '@tillwright/plugin-sdk'
import { useLocale, useMoney } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'

/** What is paid again every period, where a price stands without the lines of the order: buyers agree to that too. */
export function Recurring({ order: { currency, lines } }: { order: SessionOrder }): JSX.Element {
  const money = useMoney()
  const locale = useLocale()
  return (
    <>
      {lines.map(
        ({ variantId, priceId, name, quantity, unitAmount, recurring }) =>
          recurring !== null && (
            <span key={`${variantId} ${priceId}`} class="muted recurring">
              {name} <bdi>× {quantity}</bdi>: {money(unitAmount * quantity, currency)} {formatPeriod(recurring, locale)}
            </span>
          ),
      )}
    </>
  )
}
