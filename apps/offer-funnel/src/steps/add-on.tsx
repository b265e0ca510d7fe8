import type { Page, SessionCard, SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, useOrder, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PayMessage } from '../checkout/pay-message.tsx'
import { AdvanceButton } from '../flow/advance-button.tsx'
import { useFunnel, useTexts } from '../flow/funnel-context.ts'
import { addOnLine, isFor, knownVariant } from '../offer/bundle-lines.ts'
import { Icon } from '../parts/icon.tsx'
import { Picture } from '../parts/picture.tsx'
import { Recurring } from '../parts/recurring.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** The upsell: one more product, for one click. */
export function Upsell(): JSX.Element {
  return <AddOn addOn={useSettings().upsell} />
}

/** The downsell: a smaller product, for a buyer who declined the upsell. */
export function Downsell(): JSX.Element {
  return <AddOn addOn={useSettings().downsell} />
}

function AddOn({ addOn }: { addOn: Tillwright.Config['upsell'] }): JSX.Element {
  const t = useText()
  const page = usePage()
  const { next } = useFunnel()
  const offered = useAddOn(addOn)
  useTitle(t(addOn.headline))
  useEffect(() => {
    if (offered.status === 'passed') next().catch(() => {}) // the way on stands below as well
  }, [offered.status])
  return (
    <section class="add-on">
      <div class="add-on-picture">
        <Picture path={addOn.image} isFirst />
      </div>
      <div class="add-on-words">
        <p class="eyebrow">{t(addOn.eyebrow)}</p>
        <h1 tabIndex={-1}>{t(addOn.headline)}</h1>
        <p class="lead">{t(addOn.text)}</p>
        <ul class="points">
          {addOn.points.map((point, index) => (
            <li key={index}>
              <Icon name="check" />
              {t(point)}
            </li>
          ))}
        </ul>
        <OneClick offered={offered} />
        <AdvanceButton class="link decline" before={async () => page.track('add_on_declined')}>
          {t(addOn.decline)}
        </AdvanceButton>
      </div>
    </section>
  )
}

/** The button that buys, next to its price and the card that is charged. */
function OneClick({ offered }: { offered: Offered }): JSX.Element {
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
      <Recurring order={order} />
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

type Settings = Pick<Tillwright.Config, 'product' | 'upsell'>

/** The product that one click buys, and the card that pays. `passed`: bought already, or not to be had, so that what follows is next. */
type Offered =
  | { status: 'waiting'; order: null; card: null }
  | { status: 'offered'; order: SessionOrder; card: SessionCard }
  | { status: 'passed'; order: null; card: null }

const waiting: Offered = { status: 'waiting', order: null, card: null }
const passed: Offered = { status: 'passed', order: null, card: null }

/** Makes what is offered the next order of the session, so that the platform says what it costs. */
function useAddOn(addOn: Tillwright.Config['upsell']): Offered {
  const page = usePage()
  const { product } = useSettings()
  const [offered, setOffered] = useState(waiting)
  useEffect(() => {
    offerIt({ product, upsell: addOn }, page).then(setOffered, () => setOffered(passed))
  }, [])
  return offered
}

async function offerIt({ product, upsell }: Settings, page: Page): Promise<Offered> {
  const resumed = await page.pay.resume() // the page was loaded again while the bank was asked
  if (resumed?.outcome === 'pending') return passed
  const { step, order, paymentInstruments } = await page.session.refresh()
  const receipts = page.receipts.get()
  const bought = knownVariant([...receipts.map((receipt) => receipt.order), order])
  const line = addOnLine(upsell, page.isPreview ? product.variantId || bought : null)
  const card = paymentInstruments.at(-1)
  const isTaken = receipts.some(({ stepId }) => stepId === step?.id)
  if (isTaken || line === null || card === undefined) return passed
  const isThere = order.status === 'open' && isFor(order, line)
  const next = isThere ? order : (await page.order.setLines([line])).order
  const canBeHad = next.problem === null && next.shipping?.optionId !== null
  return canBeHad ? { status: 'offered', order: next, card } : passed
}
