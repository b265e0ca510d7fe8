import { useCustomer, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'
import { Summary } from './summary.tsx'

/** The page behind a paid order. */
export function ThankYou() {
  const receipts = useStore(usePage().receipts)
  const customer = useCustomer()
  const t = useText()
  return (
    <main>
      <h1>{t(texts.thanks)}</h1>
      {receipts.length === 0 && <p>{t(texts.noReceipt)}</p>}
      {receipts.length > 0 && customer?.email && <p>{t(texts.receiptTo, { email: customer.email })}</p>}
      {receipts.map(({ order }) => (
        <Summary key={order.id} order={order} />
      ))}
    </main>
  )
}
