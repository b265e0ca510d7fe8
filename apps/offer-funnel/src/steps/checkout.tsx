import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useText } from '@tillwright/plugin-sdk/preact'
import { useCheckout } from '../checkout/use-checkout.ts'
import { useTexts } from '../flow/funnel-context.ts'
import { AddressPart } from '../parts/address-part.tsx'
import { BroughtAlong } from '../parts/brought-along.tsx'
import { CardPart } from '../parts/card-part.tsx'
import { ContactPart } from '../parts/contact-part.tsx'
import { Icon } from '../parts/icon.tsx'
import { OrderBox } from '../parts/order-box.tsx'
import { PayButton } from '../parts/pay-button.tsx'
import { PayMessage } from '../parts/pay-message.tsx'
import { ShippingPart } from '../parts/shipping-part.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** Who, where to, and the card: once. */
export function Checkout(): JSX.Element {
  const { checkout } = useSettings()
  const { form, card, isSending, hasFailed, submit, leave } = useCheckout()
  const t = useText()
  const texts = useTexts()
  const element = useRef<HTMLFormElement>(null)
  useTitle(t(checkout.headline))
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form.sent])
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
        <CardPart card={card} />
        <PayMessage onPaid={() => void leave()} />
        {hasFailed && (
          <p class="problem" role="alert">
            {texts.payFailed}
          </p>
        )}
        <BroughtAlong />
        <PayButton isSending={isSending} />
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
