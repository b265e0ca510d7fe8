import { useEffect, useState } from 'preact/hooks'
import {
  useConfig,
  useMoney,
  useOrder,
  usePage,
  usePay,
  useSession,
  useStore,
  useText,
} from '@tillwright/plugin-sdk/preact'
import { Recurring } from '../components/recurring.tsx'
import { outcomeText } from '../rules/outcome-text.ts'
import { secondOffer } from '../rules/second-offer.ts'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** A second offer, paid with the card of the first by one click. The platform says what it costs. */
export function Screen({ goOn }: ScreenProps) {
  const page = usePage()
  const { upsellHeadline, upsellText, upsellVariantId } = useConfig()
  const receipts = useStore(page.receipts)
  const { view } = useSession()
  const [line] = useState(() => (view?.paymentInstruments.length ? secondOffer(receipts, upsellVariantId) : null))
  const [isPriced, setPriced] = useState(false)
  const order = useOrder()
  const { status, outcome } = usePay()
  const t = useText()
  const money = useMoney()

  useEffect(() => {
    if (line) void page.order.setLines([line]).then(() => setPriced(true))
  }, [page, line])

  async function accept(): Promise<void> {
    if (!line || !order || isPaying) return
    const paid = await page.pay.oneClick([line], order) // the sum on the button, and no other
    if (paid.outcome === 'paid') await goOn()
  }

  const isPaying = status !== 'idle'
  const price = isPriced && order && !isPaying ? money(order.amount, order.currency) : ''
  return (
    <section className="offer">
      <h1 tabIndex={-1}>{t(line ? upsellHeadline : texts.taken)}</h1>
      {line && <p className="text">{t(upsellText)}</p>}
      <p className="price" aria-live="polite">
        {price}
        {price !== '' && order && <Recurring order={order} />}
      </p>
      <p className="problem" role="alert">
        {t(outcomeText(outcome))}
      </p>
      {line && (
        <button
          type="button"
          className="pay"
          aria-disabled={isPaying}
          disabled={!isPaying && price === ''}
          onClick={() => void accept()}
        >
          {t(isPaying ? texts.paying : texts.accept, { amount: price })}
        </button>
      )}
      <button type="button" className="plain" disabled={isPaying} onClick={() => void goOn()}>
        {t(line ? texts.refuse : texts.goOn)}
      </button>
    </section>
  )
}
