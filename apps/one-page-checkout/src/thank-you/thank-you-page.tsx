import type { Address, BuyerSession, SessionOrder } from '@tillwright/plugin-sdk'
import {
  useCustomer,
  useLocale,
  useMoney,
  useOrder,
  usePage,
  useSession,
  useStore,
  useText,
} from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../checkout/show-receipt.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { SessionNotice } from '../frame/session-notice.tsx'
import { useSettings } from '../look/use-settings.ts'
import { nameOfMethod } from '../methods/use-methods.ts'
import { totalsOf } from '../order/totals.ts'
import { SummaryLine } from '../summary/summary-line.tsx'
import { TotalsList } from '../summary/totals-table.tsx'
import { type Say, useWords } from '../texts/use-words.tsx'

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

/** Shown to a visitor without a purchase. */
function NoReceipt(): JSX.Element {
  const page = usePage()
  const say = useWords()
  return (
    <section class="section done">
      <h1>{say('noReceipt')}</h1>
      <p class="actions">
        <a class="primary" href={addressOf(page, 'checkout')}>
          {say('toCheckout')}
        </a>
      </p>
    </section>
  )
}

/** An order that was paid. */
function Receipt({ order }: { order: SessionOrder }): JSX.Element {
  const say = useWords()
  const money = useMoney()
  return (
    <section class="summary receipt" data-open="true" aria-label={say('receipt')}>
      <h2>{say('receipt')}</h2>
      <div class="summary-body">
        <ul class="lines">
          {order.lines.map((line) => (
            <SummaryLine
              key={`${line.variantId} ${line.priceId} ${line.promotionId ?? ''}`}
              line={line}
              currency={order.currency}
              change="none"
            />
          ))}
        </ul>
        <TotalsList
          totals={totalsOf(order)}
          show={(amount) => money(amount, order.currency)}
          totalLabel={say('paid')}
          currency={order.currency}
        />
      </div>
    </section>
  )
}

/** Thanks, and the facts that a buyer looks for at once. */
function Thanks({ order }: { order: SessionOrder }): JSX.Element {
  const { thankYouHeading, thankYouText, continueUrl } = useSettings()
  const customer = useCustomer()
  const locale = useLocale()
  const say = useWords()
  const paidWith = nameOfPayment(useSession().view, say)
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const name = customer?.firstName ?? ''
  const thanks = t(thankYouHeading, { name }) || (name === '' ? say('thanks') : say('thanksName', { name }))
  useEffect(() => heading.current?.focus(), []) // a screen reader announces first that it is paid
  return (
    <section class="thanks">
      <svg class="tick" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
        <path d="m13 25 8 8 15-18" />
      </svg>
      <h1 ref={heading} tabIndex={-1}>
        {thanks}
      </h1>
      <p>{say('receiptSent', { number: numberOf(order) })}</p>
      {t(thankYouText) !== '' && <p>{t(thankYouText)}</p>}
      <dl class="facts">
        {paidWith !== null && <Fact label={say('paidWith')} lines={[paidWith]} />}
        {customer?.shippingAddress != null && (
          <Fact
            label={say('sentTo')}
            lines={addressLines(customer.shippingAddress, { ...customer, locale })}
            isForeign
          />
        )}
        {customer !== null && customer.email !== '' && <Fact label={say('email')} lines={[customer.email]} isForeign />}
      </dl>
      <p class="actions">
        <button type="button" class="quiet" onClick={() => print()}>
          {say('print')}
        </button>
        {continueUrl !== '' && (
          <a class="primary" href={continueUrl}>
            {say('goOn')}
          </a>
        )}
      </p>
    </section>
  )
}

interface FactProps {
  label: string
  lines: readonly string[]
  /** Whether the lines were typed by the buyer, in any language. */
  isForeign?: boolean
}

function Fact({ label, lines, isForeign = false }: FactProps): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      {lines.map((line) => (
        <dd key={line}>{isForeign ? <bdi>{line}</bdi> : line}</dd>
      ))}
    </div>
  )
}

/** The end of the order's id, which is what people can read to each other. */
function numberOf({ id }: SessionOrder): string {
  return (id ?? '').slice(-8).toUpperCase()
}

/** The last payment method, as the buyer knows it, such as "Visa ending in 4242"; `null` if unknown. */
function nameOfPayment(view: Pick<BuyerSession, 'payment' | 'paymentInstruments'> | null, say: Say): string | null {
  const method = view?.payment?.paymentMethod
  if (method?.type === 'none') return null
  if (method?.sepaDebit) return say('debitEnding', { last4: method.sepaDebit.ibanLast4 })
  if (method !== undefined && method.type !== 'card') return nameOfMethod(method.type, say)
  const card = view?.paymentInstruments.at(-1)?.card
  return card === undefined ? null : say('cardEnding', { brand: brandName(card.brand), last4: card.last4 })
}

function brandName(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}

/** Countries that write the postal code behind the city. */
const CODE_LAST = ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'SG', 'US', 'ZA']

/** The name and the language of an address. */
export interface Addressee {
  firstName: string
  lastName: string
  /** BCP 47. */
  locale: string
}

/** An address as the lines of an envelope. What is empty has no line. */
export function addressLines(address: Address, { firstName, lastName, locale }: Addressee): string[] {
  const { line1, line2, city, state, postalCode, country } = address
  const place = CODE_LAST.includes(country ?? '') ? [city, state, postalCode] : [postalCode, city, state]
  const lines = [[firstName, lastName], [line1], [line2], place, [nameOf(country, locale)]]
  return lines
    .map((words) => words.filter((word) => word != null && word !== '').join(' '))
    .filter((line) => line !== '')
}

function nameOf(country: string | null | undefined, locale: string): string | undefined {
  if (country == null) return undefined
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' }).of(country)
}
