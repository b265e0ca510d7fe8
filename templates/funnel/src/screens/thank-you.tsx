import { useCustomer, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { Lines } from '../components/lines.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** The end: everything that was bought. */
export function Screen(_: ScreenProps) {
  const receipts = useStore(usePage().receipts)
  const customer = useCustomer()
  const t = useText()
  return (
    <section>
      <h1 tabIndex={-1}>{t(texts.thanks)}</h1>
      {receipts.length === 0 && <p>{t(texts.noReceipt)}</p>}
      {receipts.length > 0 && customer?.email && <p>{t(texts.receiptTo, { email: customer.email })}</p>}
      {receipts.map(({ order }) => (
        <Lines key={order.id} order={order} />
      ))}
    </section>
  )
}
