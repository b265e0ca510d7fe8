import { useConfig, useMoney, useOrder, useText } from '@tillwright/plugin-sdk/preact'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** What is sold, and its price. */
export function Screen({ goOn }: ScreenProps) {
  const { headline, text } = useConfig()
  const order = useOrder()
  const t = useText()
  const money = useMoney()
  const hasOffer = order !== null && order.lines.length > 0
  return (
    <section className="offer">
      <h1 tabIndex={-1}>{t(headline)}</h1>
      <p className="text">{t(text)}</p>
      <p className="price" aria-live="polite">
        {hasOffer && money(order.amount, order.currency)}
      </p>
      <button type="button" className="pay" disabled={!hasOffer} onClick={() => void goOn()}>
        {t(order === null || hasOffer ? texts.order : texts.empty)}
      </button>
    </section>
  )
}
