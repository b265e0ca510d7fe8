import type { JSX } from 'preact'
import { useMoney, useOrder, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { useFunnel, useTexts } from '../flow/funnel-context.ts'
import type { Offered } from '../offer/use-add-on.ts'
import { PayMessage } from './pay-message.tsx'

/** The click that buys, with its price and the card that is charged beside it. */
export function OneClick({ offered }: { offered: Offered }): JSX.Element {
  const page = usePage()
  const { pay } = page
  const { next } = useFunnel()
  const { status } = usePay()
  const now = useOrder()
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  if (offered.status !== 'offered')
    return <button type="button" class="button wide shimmer" disabled aria-label={texts.loading} />
  const { card } = offered
  const order = now?.status === 'open' ? now : offered.order // it may cost something else by now
  const amount = money(order.amount, order.currency)
  const { brand, last4 } = card.card
  const nameOfCard = t(texts.cardEnding, { brand: brands[brand] ?? brand, last4 })
  const isBusy = status !== 'idle'
  const leave = (): void => void next().catch(() => {}) // the way on without buying stands below
  const buy = async (): Promise<void> => {
    await page.order.confirm().catch(() => {}) // the payment says what is wrong
    const { outcome } = await pay.withSaved(card.id, order) // the sum on the button, and no other
    if (outcome === 'paid') leave()
  }
  return (
    <>
      <PayMessage onPaid={leave} />
      {order.discountAmount > 0 && (
        <p class="saving">
          <s>{t(texts.insteadOf, { amount: money(order.subtotal, order.currency) })}</s>
        </p>
      )}
      <button type="button" class="button wide" aria-busy={isBusy} onClick={() => void buy()}>
        {isBusy ? texts[status] : t(texts.addFor, { amount })}
      </button>
      <p class="muted one-click">{t(texts.oneClick, { amount, card: nameOfCard })}</p>
    </>
  )
}

/** The networks as people write them. */
const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
}
