import { TillwrightError, type Address, type Page, type PayOutcome } from '@tillwright/plugin-sdk'
import type { TypedAddress } from '../address/check-address.ts'
import type { Draft } from '../form/kept-draft.ts'
import type { Settings } from '../look/settings.ts'

/** Says who buys and where it goes, then pays with the card that was typed. It never rejects. */
export async function placeOrder(
  { customer, order, pay }: Pick<Page, 'customer' | 'order' | 'pay'>,
  draft: Draft,
  { address, phone }: Pick<Settings, 'address' | 'phone'>,
): Promise<PayOutcome> {
  const { firstName, lastName } = draft.shipping
  const name = address === 'none' ? {} : { firstName: orNull(firstName), lastName: orNull(lastName) }
  try {
    await order.confirm() // what it has come with stands above the button
    await customer.setContact({
      email: draft.email.trim(),
      phone: phone === 'hidden' ? null : orNull(draft.phone),
      ...name,
    })
    if (address === 'full') {
      const shippingAddress = addressOf(draft.shipping)
      await customer.setAddress({
        shippingAddress,
        billingAddress: draft.isBillingSame ? shippingAddress : addressOf(draft.billing),
      })
    }
    return await pay.withCard()
  } catch (error) {
    if (!(error instanceof TillwrightError)) throw error
    return { outcome: 'failed', error }
  }
}

function addressOf(typed: TypedAddress & { country?: string }): Address {
  const { line1, line2, city, state, postalCode, country } = typed
  return {
    line1: orNull(line1),
    line2: orNull(line2),
    city: orNull(city),
    state: orNull(state),
    postalCode: orNull(postalCode?.toUpperCase()),
    country: orNull(country),
  }
}

function orNull(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
