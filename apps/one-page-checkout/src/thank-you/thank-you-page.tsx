import { useOrder, usePage, useSession, useStore } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { PageFrame } from '../frame/page-frame.tsx'
import { SessionNotice } from '../frame/session-notice.tsx'
import { useWords } from '../texts/use-words.tsx'
import { NoReceipt } from './no-receipt.tsx'
import { Receipt } from './receipt.tsx'
import { Thanks } from './thanks.tsx'

/** The page behind the payment: what was bought, paid, and goes where. */
export function ThankYouPage(): JSX.Element {
  const say = useWords()
  const receipts = useStore(usePage().receipts)
  const { view } = useSession()
  const present = useOrder()
  const orders = receipts.length > 0 ? receipts.map(({ order }) => order) : present?.status === 'paid' ? [present] : []
  const last = orders.at(-1)
  return (
    <PageFrame
      title={say('thanksTitle')}
      aside={orders.map((order) => (
        <Receipt key={order.id} order={order} />
      ))}
    >
      <SessionNotice />
      {last !== undefined && <Thanks order={last} />}
      {last === undefined && view !== null && <NoReceipt />}
    </PageFrame>
  )
}
