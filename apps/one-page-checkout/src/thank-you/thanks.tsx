import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useCustomer, useLocale, useSession, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'
import { addressLines } from './address-lines.ts'

/** Thanks, and the facts that a buyer looks for at once. */
export function Thanks({ order }: { order: SessionOrder }): JSX.Element {
  const { thankYouHeading, thankYouText, continueUrl } = useSettings()
  const customer = useCustomer()
  const card = useSession().view?.paymentInstruments.at(-1)?.card
  const locale = useLocale()
  const say = useWords()
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const name = customer?.firstName ?? ''
  const thanks = t(thankYouHeading, { name }) || (name === '' ? say('thanks') : say('thanksName', { name }))
  useEffect(() => heading.current?.focus(), []) // whoever cannot see hears first that it is paid
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
        {card !== undefined && (
          <Fact
            label={say('paidWith')}
            lines={[say('cardEnding', { brand: brandName(card.brand), last4: card.last4 })]}
          />
        )}
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
  /** Whether the lines are what somebody has typed, in whatever language. */
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

function brandName(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}
