import { useEffect } from 'preact/hooks'
import { formatPeriod } from '@tillwright/plugin-sdk'
import { useConfig, useLocale, useMoney, useOrder, usePage, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { greeting } from '../rules/greeting.ts'

/** The page: a setting of the merchant's, what is sold with its price, and the way to the funnel's next step. */
export function Home() {
  const page = usePage()
  const { headline, variantId } = useConfig()
  const { view } = useSession()
  const order = useOrder()
  const t = useText()
  const money = useMoney()
  const locale = useLocale()
  const isEmpty = order?.status === 'open' && order.lines.length === 0

  // The product of the settings, in an order that is empty. The platform says what it costs.
  useEffect(() => {
    if (isEmpty && variantId) void page.order.setLines([{ variantId }])
  }, [page, isEmpty, variantId])

  return (
    <main>
      <h1>{t(headline)}</h1>
      <p aria-live="polite">{order && t(greeting(order.lines))}</p>
      <ul>
        {order?.lines.map(({ variantId: id, priceId, name, quantity, unitAmount, recurring }) => (
          <li key={`${id} ${priceId}`}>
            {quantity} × {name} <strong>{money(unitAmount * quantity, order.currency)}</strong>
            {recurring && ` ${formatPeriod(recurring, locale)}`}
          </li>
        ))}
      </ul>
      {view?.nextStep && (
        <button type="button" onClick={() => void page.next()}>
          {t({ en: 'Continue', de: 'Weiter' })}
        </button>
      )}
    </main>
  )
}
