import { useCustomer, useMoney, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { shopAgain } from '../go-on.ts'
import { statusText, totalOf } from '../rules/receipts.ts'
import { texts } from '../texts.ts'
import { Summary } from './summary.tsx'

/** The page behind a paid order: its number, where it stands, what it cost in all, and the way back to the shop. */
export function ThankYou() {
  const page = usePage()
  const receipts = useStore(page.receipts)
  const t = useText()
  return (
    <main>
      <h1>{t(receipts.length === 0 ? texts.noReceipt : texts.thanks)}</h1>
      {receipts.length > 0 && <Receipts />}
      <button type="button" className="way-on" onClick={() => void shopAgain(page)}>
        {t(texts.again)}
      </button>
    </main>
  )
}

function Receipts() {
  const receipts = useStore(usePage().receipts)
  const customer = useCustomer()
  const t = useText()
  const money = useMoney()
  const total = totalOf(receipts)
  return (
    <>
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
        <Summary key={order.id} order={order} hasTotal={total === null} />
      ))}
      {total && (
        <p className="grand-total">
          <span>{t(texts.total)}</span>
          <span>{money(total.amount, total.currency)}</span>
        </p>
      )}
    </>
  )
}
