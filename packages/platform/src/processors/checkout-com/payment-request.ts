import type { BillingAddress, ScaExemption } from '@tillwright/contract'
import type { Authorisation, BuyerDetails, PresentedCard } from '../authorisation.ts'
import { checkoutAmounts } from './amounts.ts'

/** The settings of an account at Checkout.com, without its key. */
export interface CheckoutAccount {
  processingChannelId: string
  /** The city that statements name; `null` leaves the text of the statement to the account. */
  statementCity: string | null
}

/** The request of an attempt, or why there is none: a text for the payment's trace. */
export type Composed = { request: object } | { refused: string }

/** The `POST /payments` of an attempt. Source: Checkout.com, API reference, "Request a payment". */
export function composePayment(authorisation: Authorisation, account: CheckoutAccount): Composed {
  const { attemptId, amount: minor, currency, capture, descriptor, orderId, buyer } = authorisation
  const amount = checkoutAmounts.write(minor, currency)
  if (amount === null) return { refused: `Checkout.com cannot write ${minor} in ${currency}.` }
  const source = sourceOf(authorisation)
  if (source === null) return { refused: 'Checkout.com is not sent this payment method, or this kind of card, here.' }
  return {
    request: {
      source,
      amount,
      currency,
      reference: attemptId,
      processing_channel_id: account.processingChannelId,
      capture: capture === 'now',
      '3ds': threedsOf(authorisation),
      metadata: { order: orderId },
      ...credentialFields(authorisation),
      ...customerFields(buyer),
      ...(descriptor !== null &&
        account.statementCity !== null && { billing_descriptor: { name: descriptor, city: account.statementCity } }),
    },
  }
}

function sourceOf({ method, storedCredential, buyer }: Authorisation): object | null {
  if (method.type !== 'card') return null
  const details = {
    ...(buyer.name !== null && { name: buyer.name }),
    ...(buyer.billingAddress !== null && { billing_address: addressOf(buyer.billingAddress) }),
    stored: storedCredential?.use === 'later',
  }
  const { card } = method
  switch (card.kind) {
    case 'number':
      return {
        type: 'card',
        number: card.number,
        expiry_month: card.expMonth,
        expiry_year: card.expYear,
        ...(card.cvc !== null && { cvv: card.cvc }),
        ...details,
      }
    case 'network_token':
      return tokenSource(card, details)
    case 'processor_token':
      return null
  }
}

type NetworkToken = Extract<PresentedCard, { kind: 'network_token' }>

function tokenSource(card: NetworkToken, details: object): object | null {
  const type = tokenTypeOf(card)
  if (type === null) return null
  return {
    type: 'network_token',
    token: card.number,
    expiry_month: card.expMonth,
    expiry_year: card.expYear,
    token_type: type,
    ...(card.cryptogram !== null && { cryptogram: card.cryptogram }),
    ...(card.eci !== null && { eci: card.eci }),
    ...details,
  }
}

/**
 * The issuer of a network token: a wallet, or the scheme's token service. Checkout.com knows those of two schemes;
 * `null` for any other.
 */
function tokenTypeOf({ wallet, number }: NetworkToken): string | null {
  if (wallet === 'apple_pay') return 'applepay'
  if (wallet === 'google_pay') return 'googlepay'
  if (number.startsWith('4')) return 'vts'
  return /^(?:2|5)/.test(number) ? 'mdes' : null
}

/** Sends the platform's 3-D Secure result. Checkout.com must not authenticate by itself. */
function threedsOf({ threeds, exemption }: Authorisation): object {
  const asked = exemption === null ? {} : { exemption: exemptions[exemption] }
  if (threeds === null) return { enabled: false, ...asked }
  return {
    enabled: true,
    eci: threeds.eci,
    cryptogram: threeds.authenticationValue,
    xid: threeds.dsTransactionId,
    version: threeds.version,
    ...asked,
  }
}

/** Checkout.com's names of exemptions, as its own libraries list them. */
export const exemptions: Readonly<Record<ScaExemption, string>> = {
  low_value: 'low_value',
  low_risk: 'transaction_risk_assessment',
  recurring: 'recurring_operation',
  trusted: 'trusted_listing',
  secure_corporate: 'secure_corporate_payment',
}

const paymentTypes = {
  cardholder: 'Regular',
  recurring: 'Recurring',
  installment: 'Installment',
  unscheduled: 'Unscheduled',
}

/** Checkout.com's fields for a card on file. A network transaction id is as good as the id of its own first payment. */
function credentialFields({ storedCredential, initiatedBy }: Authorisation): object {
  const previous = storedCredential?.use === 'later' ? storedCredential.networkTransactionId : null
  const reason = storedCredential?.reason ?? (initiatedBy === 'merchant' ? 'unscheduled' : 'cardholder')
  return {
    payment_type: paymentTypes[reason],
    merchant_initiated: initiatedBy === 'merchant',
    ...(previous !== null && { previous_payment_id: previous }),
  }
}

function customerFields({ email, name, ip }: BuyerDetails): object {
  const customer = { ...(email !== null && { email }), ...(name !== null && { name }) }
  return {
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(ip !== null && { payment_ip: ip }),
  }
}

function addressOf({ line1, line2, city, state, postalCode, country }: BillingAddress): object {
  return Object.fromEntries(
    [
      ['address_line1', line1],
      ['address_line2', line2],
      ['city', city],
      ['state', state],
      ['zip', postalCode],
      ['country', country],
    ].filter(([, value]) => value != null),
  )
}
