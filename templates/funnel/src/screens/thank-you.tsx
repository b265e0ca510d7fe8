import { useCustomer, useMoney, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { startOver } from '../begin-order.ts'
import { Lines } from '../components/lines.tsx'
import { statusText, totalOf } from '../rules/receipts.ts'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** The end: everything that was bought, what it cost in all, and the way back to the shop. */
export function Screen({ goTo }: ScreenProps) {
  const page = usePage()
  const receipts = useStore(page.receipts)
  const customer = useCustomer()
  const t = useText()
  const money = useMoney()
  const total = totalOf(receipts)
  const again = (
    <button type="button" className="way-on" onClick={() => void startOver(page).then(() => goTo('offer'))}>
      {t(texts.again)}
    </button>
  )
  if (receipts.length === 0) {
    return (
      <section>
        <h1 tabIndex={-1}>{t(texts.noReceipt)}</h1>
        {again}
      </section>
    )
  }
  return (
    <section>
      <h1 tabIndex={-1}>{t(texts.thanks)}</h1>
      <p className="paid" role="status">
        {t(statusText(receipts))}
      </p>
      {customer?.email && <p>{t(texts.receiptTo, { email: customer.email })}</p>}
      <dl className="facts">
        <dt>{t(texts.orderNumber)}</dt>
        {receipts.map(({ order }) => (
          <dd key={order.id}>{order.id}</dd>
        ))}
      </dl>
      {receipts.map(({ order }) => (
        <Lines key={order.id} order={order} hasTotal={total === null} />
      ))}
      {total && (
        <p className="grand-total">
          <span>{t(texts.total)}</span>
          <span>{money(total.amount, total.currency)}</span>
        </p>
      )}
      {again}
    </section>
  )
}
