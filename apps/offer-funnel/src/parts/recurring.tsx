import type { OrderLine, SessionOrder } from '@tillwright/plugin-sdk'
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
              {name} <bdi>× {quantity}</bdi>: {money(unitAmount * quantity, currency)} {periodOf(recurring, locale)}
            </span>
          ),
      )}
    </>
  )
}

/** How often a price is paid, to stand behind its amount: `/ month`, `/ 3 months`. */
export function periodOf({ interval, intervalCount }: NonNullable<OrderLine['recurring']>, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: interval, unitDisplay: 'long' })
  if (intervalCount !== 1) return `/ ${format.format(intervalCount)}`
  return `/ ${format.formatToParts(1).find(({ type }) => type === 'unit')?.value ?? interval}`
}
