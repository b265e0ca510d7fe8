import type { PaymentMethodType } from '@tillwright/plugin-sdk'
import { useCard, useOrder, usePage, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { AddressFields } from '../address/address-fields.tsx'
import { countries } from '../address/regions.ts'
import { countriesOf, useCountry } from '../address/use-country.ts'
import { TextField } from '../form/text-field.tsx'
import { type Form, useForm } from '../form/use-form.ts'
import { Notice } from '../frame/notice.tsx'
import { PageFrame } from '../frame/page-frame.tsx'
import { SessionNotice } from '../frame/session-notice.tsx'
import { cardAppearance } from '../look/card-appearance.ts'
import { useSettings } from '../look/use-settings.ts'
import { MethodChoice, MethodPanel } from '../methods/method-choice.tsx'
import { useMethods } from '../methods/use-methods.ts'
import { waitingPayment, WaitingSection } from '../methods/waiting-section.tsx'
import { useView } from '../order/use-view.ts'
import { Summary } from '../summary/summary.tsx'
import { useWords } from '../texts/use-words.tsx'
import { PaySection } from './pay-section.tsx'
import { ShippingSection } from './shipping-section.tsx'
import { addressOf, keepsSession } from './show-receipt.ts'
import { WalletButtons } from './wallet-buttons.tsx'
import { useCart } from './use-cart.ts'
import { usePayment } from './use-payment.ts'
import { isUnreachable, useShipping } from './use-shipping.ts'
import type { Settings } from '../look/settings.ts'

/** The checkout. */
export function CheckoutPage(): JSX.Element {
  const settings = useSettings()
  const say = useWords()
  const order = useOrder()
  const view = useView()
  const isSent = settings.address === 'full'
  const methods = useMethods()
  const form = useForm({ settings, methods, isUnreachable: isUnreachable(view) })
  const country = useCountry(form, settings)
  const shipping = useShipping(country)
  const cart = useCart(settings)
  const appearance = useMemo(() => cardAppearance(settings), [settings])
  const card = useCard({ appearance })
  const payment = usePayment(form, settings, card.card)
  const isToBeShipped = order === null || order.lines.length === 0 ? isSent : order.shipping !== null
  const waiting = waitingPayment(view)
  const isDone = (order?.status === 'paid' || cart.isEmpty) && !payment.isUnderWay

  return (
    <PageFrame title={say('checkoutTitle')} heading={<CheckoutHeading />} aside={<Summary />}>
      <SessionNotice />
      {isDone && <NothingToPay isPaid={order?.status === 'paid'} onAgain={cart.fill} />}
      {waiting !== null && <WaitingSection payment={waiting} onCheck={payment.checkAgain} />}
      <form
        class="form"
        noValidate
        hidden={isDone || waiting !== null}
        aria-busy={payment.isUnderWay}
        onSubmit={(event) => (event.preventDefault(), payment.submit())}
      >
        <ContactSection form={form} />
        {isSent && <DeliverySection form={form} reached={countriesOf(settings)} />}
        {isToBeShipped && <ShippingSection {...shipping} />}
        <PaymentSection {...{ card, form, methods }} />
        <PaySection payment={payment} isFree={form.method === 'none'} />
        {form.method !== 'none' && <WalletButtons payment={payment} />}
      </form>
      <Badges />
    </PageFrame>
  )
}

/** The heading of the settings; without one the page's name, which is read aloud and not shown. */
function CheckoutHeading(): JSX.Element {
  const { heading, intro } = useSettings()
  const t = useText()
  const say = useWords()
  const shown = t(heading)
  return (
    <section class={shown === '' ? 'visually-hidden' : 'heading'} aria-labelledby="heading">
      <h1 id="heading">{shown || say('checkoutTitle')}</h1>
      {shown !== '' && t(intro) !== '' && <p>{t(intro)}</p>}
    </section>
  )
}

/** The buyer's email address and phone number. */
function ContactSection({ form }: { form: Form }): JSX.Element {
  const { phone } = useSettings()
  const say = useWords()
  return (
    <section class="section" aria-labelledby="contact-heading">
      <h2 id="contact-heading">{say('contact')}</h2>
      <TextField
        form={form}
        name="email"
        label={say('email')}
        value={form.draft.email}
        inputMode="email"
        autoComplete="email"
        isRequired
        hint={say('emailHint')}
        onChange={(email) => form.change({ email })}
      />
      {phone !== 'hidden' && (
        <TextField
          form={form}
          name="phone"
          label={say('phone')}
          value={form.draft.phone}
          inputMode="tel"
          autoComplete="tel"
          isRequired={phone === 'required'}
          onChange={(typed) => form.change({ phone: typed })}
        />
      )}
    </section>
  )
}

/** Where the goods go, and where the card's statements go if that is elsewhere. */
export interface DeliverySectionProps {
  form: Form
  /** The countries that goods are sent to. */
  reached: readonly string[]
}

/** The addresses. */
function DeliverySection({ form, reached }: DeliverySectionProps): JSX.Element {
  const say = useWords()
  const { isBillingSame } = form.draft
  return (
    <section class="section" aria-labelledby="delivery-heading">
      <h2 id="delivery-heading">{say('delivery')}</h2>
      <AddressFields kind="shipping" form={form} countries={reached} />
      <label class="check">
        <input
          type="checkbox"
          checked={isBillingSame}
          onChange={({ currentTarget }) =>
            form.change({
              isBillingSame: currentTarget.checked,
              billing: { country: form.draft.shipping.country ?? '', ...form.draft.billing },
            })
          }
        />
        <span>{say('billingSame')}</span>
      </label>
      {!isBillingSame && (
        <fieldset class="billing">
          <legend>{say('billing')}</legend>
          <AddressFields kind="billing" form={form} countries={countries} />
        </fieldset>
      )}
    </section>
  )
}

interface PaymentSectionProps {
  card: ReturnType<typeof useCard>
  form: Form
  methods: readonly PaymentMethodType[]
}

/** The choice of a method, and its fields. The card form is the vault's: no card data is ever in this page. */
function PaymentSection({ card, form, methods }: PaymentSectionProps): JSX.Element {
  const say = useWords()
  const isCard = form.method === 'card'
  return (
    <section class="section" aria-labelledby="payment-heading">
      <h2 id="payment-heading">{say('payment')}</h2>
      <ExpressSlot />
      <MethodChoice form={form} methods={methods} />
      {isCard && <p class="hint">{say('paymentHint')}</p>}
      {/* Another method hides it and leaves it there, so that what was typed is not lost. */}
      <div class="card" ref={card.ref} hidden={!isCard || card.status === 'failed'} />
      <MethodPanel form={form} />
      {isCard && card.status === 'failed' && (
        <Notice text={say('cardMissing')}>
          <button type="button" class="quiet" onClick={card.retry}>
            {say('tryAgain')}
          </button>
        </Notice>
      )}
    </section>
  )
}

/**
 * The place of wallets' buttons. A wallet's script puts its button into the element; while it is empty, nothing of it is
 * seen, and neither is the line that parts it from the card.
 */
function ExpressSlot(): JSX.Element {
  const say = useWords()
  return (
    <>
      <div class="express" id="express" />
      <p class="express-end">{say('orCard')}</p>
    </>
  )
}

/** Instead of the form: an order that is paid, as behind the browser's back button, or one without anything in it. */
function NothingToPay({ isPaid, onAgain }: { isPaid: boolean; onAgain: () => void }): JSX.Element {
  const page = usePage()
  const { products } = useSettings()
  const say = useWords()
  return (
    <section class="section done" role="status">
      <h2>{say(isPaid ? 'alreadyPaid' : 'nothingChosen')}</h2>
      <p>{say(isPaid ? 'alreadyPaidWhy' : 'nothingChosenWhy')}</p>
      <p class="actions">
        {isPaid && keepsSession() && (
          <a class="primary" href={addressOf(page, 'thank-you')}>
            {say('toReceipt')}
          </a>
        )}
        {products.length > 0 && (
          <button type="button" class="quiet" onClick={onAgain}>
            {say('orderAgain')}
          </button>
        )}
      </p>
    </section>
  )
}

type Icon = Settings['badges'][number]['icon']

/** Outlines in a square of 24, drawn with one stroke. */
const outlines: Readonly<Record<Icon, string>> = {
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  return: 'M9 7 4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-3',
  truck: 'M3 6h11v11H3zM14 10h4l3 3.5V17h-7M7.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  leaf: 'M5 19C4 10 9 5 20 4c0 11-5 16-13 14M5 20c2-5 5-8 9-10',
  star: 'm12 4 2.4 5.1 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.8l5.6-.7z',
  chat: 'M4 5h16v11h-9l-4.5 4v-4H4zM8 9.5h8M8 12.5h5',
}

/** The shop's promises, such as free returns. */
function Badges(): JSX.Element | null {
  const { badges } = useSettings()
  const t = useText()
  if (badges.length === 0) return null
  return (
    <ul class="badges">
      {badges.map(({ icon, title, text }) => (
        <li key={icon}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d={outlines[icon]} />
          </svg>
          <div>
            <strong>{t(title)}</strong>
            {text !== undefined && <p>{t(text)}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
