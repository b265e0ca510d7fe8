import {
  useCustomer,
  useLocale,
  useMoney,
  useOrder,
  usePage,
  usePay,
  useSession,
  useText,
} from '@tillwright/plugin-sdk/preact'
import type { ComponentProps, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type BuyerField, isAsked } from '../checkout/check-buyer.ts'
import { MethodPart } from '../checkout/method-part.tsx'
import { PayMessage } from '../checkout/pay-message.tsx'
import { PromotionCode } from '../checkout/promotion-code.tsx'
import type { BuyerForm } from '../checkout/use-buyer-form.ts'
import { useCheckout } from '../checkout/use-checkout.ts'
import { WaitingPart, waitingPayment } from '../checkout/waiting-part.tsx'
import { WalletButtons } from '../checkout/wallet-buttons.tsx'
import { useFunnel, useTexts } from '../flow/funnel-context.ts'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { OrderSummary } from '../parts/order-summary.tsx'
import { Picture } from '../parts/picture.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** The checkout, on one page: contact, address and payment. */
export function Checkout(): JSX.Element {
  const { checkout } = useSettings()
  const work = useCheckout()
  const { form, methods, isSending, isLeaving, hasFailed, walletOutcome, submit, leave } = work
  const waiting = waitingPayment(useSession().view)
  const t = useText()
  const texts = useTexts()
  const element = useRef<HTMLFormElement>(null)
  useTitle(t(checkout.headline))
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form.sent])
  if (waiting !== null) {
    return (
      <div class="checkout">
        <WaitingPart payment={waiting} onPaid={() => void leave()} />
        <OrderBox />
      </div>
    )
  }
  return (
    <div class="checkout">
      <form
        class="checkout-main"
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <h1 tabIndex={-1}>{t(checkout.headline)}</h1>
        <ContactPart form={form} />
        {checkout.asksAddress && <AddressPart form={form} countries={checkout.countries} />}
        <ShippingPart country={checkout.asksAddress ? form.fields.country : ''} />
        <MethodPart {...work} />
        {!isLeaving && <PayMessage walletOutcome={walletOutcome} onPaid={() => void leave()} />}
        {hasFailed && (
          <p class="problem" role="alert">
            {texts.payFailed}
          </p>
        )}
        <BroughtAlong />
        <PayButton isSending={isSending || isLeaving} isFree={methods.chosen === 'none'} />
        {methods.chosen !== 'none' && <WalletButtons work={work} />}
        <p class="muted">{t(checkout.note)}</p>
        <p class="reassurance">
          <Icon name="lock" />
          {texts.securePayment}
        </p>
      </form>
      <OrderBox />
    </div>
  )
}

/** Whom the order is for. */
function ContactPart({ form }: { form: BuyerForm }): JSX.Element {
  const texts = useTexts()
  return (
    <fieldset onChange={form.keep}>
      <legend>{texts.contact}</legend>
      <FormField form={form} field="email" autocomplete="email" type="email" inputMode="email" />
      <div class="row">
        <FormField form={form} field="firstName" autocomplete="given-name" />
        <FormField form={form} field="lastName" autocomplete="family-name" />
      </div>
    </fieldset>
  )
}

/** Items added by an earlier page, which the buyer confirms by paying. */
function BroughtAlong(): JSX.Element | null {
  const { view } = useSession()
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  if (view?.broughtAlong == null) return null
  const lines = view.broughtAlong.lines.map(
    ({ quantity, name, amount }) => `${quantity} × ${name} (${money(amount, view.order.currency)})`,
  )
  return (
    <p class="muted" role="status">
      {t(texts.broughtAlong, { lines: lines.join(', ') })}
    </p>
  )
}

interface AddressPartProps {
  form: BuyerForm
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[]
}

/** Where the order goes. */
function AddressPart({ form, countries }: AddressPartProps): JSX.Element {
  const texts = useTexts()
  const locale = useLocale()
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const options = countries
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
  return (
    <fieldset onChange={form.keep}>
      <legend>{texts.address}</legend>
      <FormField form={form} field="country" autocomplete="country" options={options} />
      <FormField form={form} field="line1" autocomplete="address-line1" />
      <div class="row">
        {isAsked('postalCode', form.fields.country) && (
          <FormField form={form} field="postalCode" autocomplete="postal-code" class="short" />
        )}
        <FormField form={form} field="city" autocomplete="address-level2" />
      </div>
      {isAsked('state', form.fields.country) && <FormField form={form} field="state" autocomplete="address-level1" />}
    </fieldset>
  )
}

/**
 * How the order is sent: one of the store's options. Nothing where nothing is sent.
 *
 * @param country Where it goes, which decides what there is to choose from; empty if the buyer is not asked.
 */
function ShippingPart({ country }: { country: string }): JSX.Element | null {
  const { customer, order } = usePage()
  const { shipping = null, currency = '', status } = useOrder() ?? {}
  const said = useCustomer()?.shippingAddress?.country ?? null
  const [wanted, setWanted] = useState<string | null>(null)
  const texts = useTexts()
  const money = useMoney()
  useEffect(() => {
    if (status !== 'open' || country === '' || country === said) return
    customer.setAddress({ shippingAddress: { country } }).catch(() => {}) // it is said again before the payment
  }, [status === 'open', country])
  if (shipping === null) return null
  const choose = (id: string): void => {
    setWanted(id) // shown at once; where it is refused, the former choice stands
    order
      .chooseShipping(id)
      .catch(() => {})
      .finally(() => setWanted(null))
  }
  return (
    <fieldset class="shipping">
      <legend>{texts.shippingHow}</legend>
      {shipping.options.length === 0 && <p class="problem">{texts.noShipping}</p>}
      {shipping.options.map(({ id, name, description, amount }) => (
        <label key={id}>
          <input
            type="radio"
            name="shipping"
            checked={id === (wanted ?? shipping.optionId)}
            onChange={() => choose(id)}
          />
          <span>
            {name} {description !== '' && <span class="muted">{description}</span>}
          </span>
          <span>{amount === 0 ? texts.free : money(amount, currency)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The order to be paid, with a link back to the choice of bundles. */
function OrderBox(): JSX.Element {
  const { product } = useSettings()
  const order = useOrder()
  const { data } = usePage()
  const { revisit } = useFunnel()
  const texts = useTexts()
  const offerUrl = `${data.basePath.replace(/\/$/, '')}/offer`
  return (
    <aside class="order-box">
      <div class="order-head">
        <h2>{texts.yourOrder}</h2>
        {order?.status !== 'pending' && (
          <a
            href={offerUrl}
            onClick={(event) => {
              event.preventDefault()
              void revisit('offer').then((isThere) => isThere || location.assign(offerUrl))
            }}
          >
            {texts.change}
          </a>
        )}
      </div>
      <Picture path={product.image} />
      {order === null || order.lines.length === 0 ? <p class="shimmer" /> : <OrderSummary order={order} />}
      {order?.status === 'open' && <PromotionCode />}
    </aside>
  )
}

/** The button that pays, with what is paid. */
function PayButton({ isSending, isFree }: { isSending: boolean; isFree: boolean }): JSX.Element {
  const { status } = usePay()
  const order = useOrder()
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  const isBusy = isSending || status !== 'idle'
  const isOpen = order?.status === 'open' || isBusy
  const isReady = order !== null && isOpen && order.lines.length > 0 && order.shipping?.optionId !== null
  const amount = order === null ? '' : money(order.amount, order.currency)
  const label = isFree ? texts.placeOrder : t(texts.pay, { amount })
  return (
    <button class="button wide" aria-busy={isBusy} disabled={!isReady}>
      {isBusy ? texts[status === 'idle' ? 'paying' : status] : label}
    </button>
  )
}

type FormFieldProps = Omit<ComponentProps<typeof Field>, 'label' | 'name' | 'value' | 'problem' | 'onValue'> & {
  form: BuyerForm
  field: BuyerField
}

/** A field of the buyer's form. */
function FormField({ form, field, ...more }: FormFieldProps): JSX.Element {
  const texts = useTexts()
  const problem = form.problems[field]
  return (
    <Field
      {...more}
      label={texts[field]}
      name={field}
      value={form.fields[field]}
      problem={problem === undefined ? '' : texts[problem]}
      onValue={(value) => form.set(field, value)}
    />
  )
}
