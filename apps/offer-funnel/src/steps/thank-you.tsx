import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { useCustomer, useMoney, useOrder, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { beginAnew } from '../flow/begin-anew.ts'
import { Icon } from '../parts/icon.tsx'
import { OrderSummary } from '../parts/order-summary.tsx'
import { PayMessage } from '../parts/pay-message.tsx'
import { useTitle } from '../parts/use-title.ts'
import { orderNumber } from '../checkout/order-number.ts'
import { paidOrders, totalOf } from '../checkout/paid-orders.ts'
import { useSettings } from '../settings/use-settings.ts'

/** The receipt of everything that was bought on the way. */
export function ThankYou(): JSX.Element {
  const { thanks } = useSettings()
  const page = usePage()
  const orders = paidOrders(useStore(page.receipts), useOrder())
  const email = useCustomer()?.email ?? ''
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  const total = totalOf(orders)
  useTitle(t(thanks.headline))
  useEffect(() => void page.pay.resume(), []) // the bank may not have answered at the page before
  return (
    <section class="narrow thanks">
      <p class="tick">
        <Icon name="check" />
      </p>
      <h1 tabIndex={-1}>{t(thanks.headline)}</h1>
      <p class="lead">{t(thanks.text)}</p>
      <PayMessage onPaid={() => {}} />
      <section class="receipt" aria-label={texts.receipts}>
        {email !== '' && <p class="muted">{t(texts.sentTo, { email })}</p>}
        {orders.map((order) => (
          <article key={order.id}>
            <h2>
              {texts.orderNumber} <bdi>{orderNumber(order)}</bdi>
            </h2>
            <OrderSummary order={order} />
          </article>
        ))}
        {orders.length > 1 && total !== null && (
          <p class="grand-total">
            <span>{texts.paidTogether}</span> <strong>{money(total.amount, total.currency)}</strong>
          </p>
        )}
      </section>
      {thanks.nextSteps.length > 0 && (
        <section class="next-steps">
          <h2>{texts.next}</h2>
          <ol>
            {thanks.nextSteps.map((step, index) => (
              <li key={index}>{t(step)}</li>
            ))}
          </ol>
        </section>
      )}
      <p class="thanks-actions">
        <button type="button" class="link" onClick={() => print()}>
          {texts.print}
        </button>
        <button type="button" class="link" onClick={() => beginAnew(page.data)}>
          {texts.again}
        </button>
      </p>
    </section>
  )
}
