import { useState } from 'preact/hooks'
import { useConfig, useMoney, useOrder, usePage, useText } from '@tillwright/plugin-sdk/preact'
import { startOver } from '../begin-order.ts'
import { Recurring } from '../components/recurring.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** The product and its price. Starts a new order if the buyer has already bought. */
export function Screen({ goOn }: ScreenProps) {
  const page = usePage()
  const { headline, text } = useConfig()
  const order = useOrder()
  const [isStuck, setStuck] = useState(false)
  const t = useText()
  const money = useMoney()
  const hasOffer = order !== null && order.lines.length > 0

  async function begin(): Promise<void> {
    setStuck(false)
    try {
      if (order?.status === 'paid' || order?.status === 'refunded') await startOver(page)
      await goOn()
    } catch {
      setStuck(true)
    }
  }

  return (
    <section className="offer">
      <h1 tabIndex={-1}>{t(headline)}</h1>
      <p className="text">{t(text)}</p>
      <p className="price" aria-live="polite">
        {hasOffer && money(order.amount, order.currency)}
        {hasOffer && <Recurring order={order} />}
      </p>
      <p className="problem" role="alert">
        {isStuck && t(texts.stuck)}
      </p>
      <button type="button" className="pay" disabled={!hasOffer} onClick={() => void begin()}>
        {t(order === null || hasOffer ? texts.order : texts.empty)}
      </button>
    </section>
  )
}
