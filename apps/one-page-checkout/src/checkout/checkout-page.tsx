import { useCard, useOrder, useSession } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Regions } from '../address/load-regions.ts'
import { useRegions } from '../address/use-regions.ts'
import { useForm } from '../form/use-form.ts'
import { Badges } from '../frame/badges.tsx'
import { PageFrame } from '../frame/page-frame.tsx'
import { SessionNotice } from '../frame/session-notice.tsx'
import { cardAppearance } from '../look/card-appearance.ts'
import { useSettings } from '../look/use-settings.ts'
import { Summary } from '../summary/summary.tsx'
import { useWords } from '../texts/use-words.tsx'
import { CheckoutHeading } from './checkout-heading.tsx'
import { ContactSection } from './contact-section.tsx'
import { DeliverySection } from './delivery-section.tsx'
import { NothingToPay } from './nothing-to-pay.tsx'
import { PaySection } from './pay-section.tsx'
import { PaymentSection } from './payment-section.tsx'
import { ShippingSection } from './shipping-section.tsx'
import { useCart } from './use-cart.ts'
import { countriesOf, useCountry } from './use-country.ts'
import { usePayment } from './use-payment.ts'
import { isUnreachable, useShipping } from './use-shipping.ts'

/** The page that sells. @param regions What is known of addresses, if it was loaded already. */
export function CheckoutPage({ regions: initial }: { regions: Regions | null }): JSX.Element {
  const settings = useSettings()
  const say = useWords()
  const order = useOrder()
  const { view } = useSession()
  const isSent = settings.address === 'full'
  const regions = useRegions(initial, isSent)
  const form = useForm({ settings, regions, isUnreachable: isUnreachable(view) })
  const country = useCountry(form, settings, regions)
  const shipping = useShipping(country)
  const cart = useCart(settings)
  const appearance = useMemo(() => cardAppearance(settings), [settings])
  const card = useCard({ appearance })
  const payment = usePayment(form, settings, card.card)
  const isToBeShipped = order === null || order.lines.length === 0 ? isSent : order.shipping !== null
  const isDone = (order?.status === 'paid' || cart.isEmpty) && !payment.isUnderWay

  return (
    <PageFrame title={say('checkoutTitle')} heading={<CheckoutHeading />} aside={<Summary />}>
      <SessionNotice />
      {isDone && <NothingToPay isPaid={order?.status === 'paid'} onAgain={cart.fill} />}
      <form
        class="form"
        noValidate
        hidden={isDone}
        aria-busy={payment.isUnderWay}
        onSubmit={(event) => (event.preventDefault(), payment.submit())}
      >
        <ContactSection form={form} />
        {regions !== null && <DeliverySection {...{ form, regions }} countries={countriesOf(settings, regions)} />}
        {isToBeShipped && <ShippingSection {...shipping} />}
        <PaymentSection card={card} />
        <PaySection payment={payment} />
      </form>
      <Badges />
    </PageFrame>
  )
}
