import type { Receipt, SessionOrder } from '@tillwright/plugin-sdk'
import { useCustomer, useMoney, useOrder, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { PayMessage } from '../checkout/pay-message.tsx'
import { beginAnew } from '../flow/begin-anew.ts'
import { useTexts } from '../flow/funnel-context.ts'
import { Icon } from '../parts/icon.tsx'
import { OrderSummary } from '../parts/order-summary.tsx'
import { useTitle } from '../parts/use-title.ts'
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

/** A short order number for buyers to read out: the end of the id, in capitals. Empty without an id. */
function orderNumber({ id }: Pick<SessionOrder, 'id'>): string {
  return (id ?? '').slice(-8).toUpperCase()
}

/** The orders of a receipt: those of the tab, else the session's last one if it was placed, as in another tab. */
export function paidOrders(receipts: readonly Receipt[], last: SessionOrder | null): readonly SessionOrder[] {
  if (receipts.length > 0) return receipts.map(({ order }) => order)
  return last !== null && last.id !== null && last.status !== 'pending' ? [last] : []
}

/** The total of the orders; `null` if there are none or their currencies differ. */
export function totalOf(
  orders: readonly Pick<SessionOrder, 'amount' | 'currency'>[],
): { amount: number; currency: string } | null {
  const currency = orders[0]?.currency
  if (currency === undefined || orders.some((order) => order.currency !== currency)) return null
  return { amount: orders.reduce((sum, { amount }) => sum + amount, 0), currency }
}
