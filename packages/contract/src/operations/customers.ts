import { z } from 'zod'
import { archivedFilter, changeErrors, howToArchive, howToChange, revisionOnly } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { referenceTo } from '../ids.ts'
import { createdBetween, flagFilter, howToList, idsFilter, listOf, ofResource, searchFor } from '../lists.ts'
import { PAGE_MAX } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { customerPrivacy } from './privacy.ts'
import { customerChange, customerRecord, newCustomer } from '../resources/customers.ts'
import {
  createdPaymentInstrument,
  deletedPaymentInstrument,
  instrumentFromToken,
  paymentInstrument,
  paymentInstrumentChange,
} from '../resources/payment-instruments.ts'

const ofCustomer = z.object({ customerId: referenceTo('customer', 'The id of the customer.') })
const ofInstrument = z.object({
  paymentInstrumentId: referenceTo('paymentInstrument', 'The id of the payment instrument.'),
})

/** Not in the reference: the customers that payments and orders belong to. */
export const customers = {
  create: {
    method: 'POST',
    path: '/api/payments/v1/customers',
    audience: 'key',
    scope: 'customers:write',
    summary: 'Create a customer',
    description: 'A store has one customer of an e-mail address; a second one is a 409.',
    body: newCustomer,
    status: 201,
    response: customerRecord,
    errors: ['resource_missing', 'resource_exists'],
    emits: ['s_customer_created'],
    idempotent: 'transaction',
  },
  update: {
    method: 'PATCH',
    path: '/api/payments/v1/customers/{customerId}',
    audience: 'key',
    scope: 'customers:write',
    summary: 'Update a customer',
    description: `Orders keep what the buyer entered. ${howToChange}`,
    params: ofCustomer,
    body: customerChange,
    decided: decidedElsewhere.customer,
    status: 200,
    response: customerRecord,
    errors: [...changeErrors, 'resource_exists'],
    emits: ['s_customer_updated'],
    idempotent: 'transaction',
  },
  archive: {
    method: 'POST',
    path: '/api/payments/v1/customers/{customerId}/archive',
    audience: 'key',
    scope: 'customers:write',
    summary: 'Archive a customer',
    description: `Cards of the customer are not charged for anything new, and the e-mail address is free for another customer. Subscriptions go on. ${howToArchive}`,
    params: ofCustomer,
    body: revisionOnly,
    status: 200,
    response: customerRecord,
    errors: changeErrors,
    emits: ['s_customer_updated'],
    idempotent: 'transaction',
  },
  unarchive: {
    method: 'POST',
    path: '/api/payments/v1/customers/{customerId}/unarchive',
    audience: 'key',
    scope: 'customers:write',
    summary: 'Unarchive a customer',
    description: `Refused with 409 if another customer has the e-mail address by now. ${howToArchive}`,
    params: ofCustomer,
    body: revisionOnly,
    status: 200,
    response: customerRecord,
    errors: [...changeErrors, 'resource_exists'],
    emits: ['s_customer_updated'],
    idempotent: 'transaction',
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/customers/{customerId}',
    audience: 'key',
    scope: 'customers:read',
    summary: 'Read a customer',
    description:
      'A customer is made by this API, by a first payment instrument, or by the session in which a buyer pays.',
    params: ofCustomer,
    status: 200,
    response: customerRecord,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/customers',
    audience: 'key',
    scope: 'customers:read',
    summary: 'List and search customers',
    description: howToList,
    ...listOf(customerRecord, {
      storeId: ofResource('store', 'Only customers of this store.'),
      ids: idsFilter('customer', `Only these customers, archived or not: up to ${PAGE_MAX} ids, with commas between.`),
      ...archivedFilter,
      ...createdBetween,
      q: searchFor('an e-mail address, a name, or the beginning of an id', 'ada@example.com'),
    }),
    status: 200,
    errors: [],
  },
  ...customerPrivacy,
} as const satisfies Record<string, Operation>

/** Source: reference, "POST /payment-instruments/create-from-token" and "GET /payment-instruments/{...}". */
export const paymentInstruments = {
  createFromToken: {
    method: 'POST',
    path: '/api/public/v1/payment-instruments/create-from-token',
    audience: 'key',
    scope: 'payment-instruments:write',
    summary: 'Create a payment instrument',
    description:
      'Exchanges a service token for a payment instrument. Your page gets the token from `card.tokenize()` and sends it to your server; it is valid for 15 minutes and can be used once. The customer is the one in `customerId`, otherwise the store’s customer with the e-mail address in `customerData`, otherwise a new one.',
    body: instrumentFromToken,
    status: 201,
    response: createdPaymentInstrument,
    errors: ['token_invalid', 'token_expired', 'token_used', 'resource_missing'],
    emits: ['s_customer_created', 's_payment_instrument_created'],
    idempotent: 'transaction',
  },
  get: {
    method: 'GET',
    path: '/api/public/v1/payment-instruments/{paymentInstrumentId}',
    audience: 'key',
    scope: 'payment-instruments:read',
    summary: 'Read a payment instrument',
    description: 'The card number is never returned.',
    params: ofInstrument,
    status: 200,
    response: paymentInstrument,
    errors: ['resource_missing'],
  },
  update: {
    method: 'PATCH',
    path: '/api/payments/v1/payment-instruments/{paymentInstrumentId}',
    audience: 'key',
    scope: 'payment-instruments:write',
    summary: 'Update a payment instrument',
    description: `Activates it, deactivates it, or makes it the customer’s default. ${howToChange}`,
    params: ofInstrument,
    body: paymentInstrumentChange,
    decided: decidedElsewhere.paymentInstrument,
    status: 200,
    response: paymentInstrument,
    errors: [...changeErrors, 'state_conflict'],
    emits: ['s_payment_instrument_updated'],
    idempotent: 'transaction',
  },
  delete: {
    method: 'DELETE',
    path: '/api/payments/v1/payment-instruments/{paymentInstrumentId}',
    audience: 'key',
    scope: 'payment-instruments:write',
    summary: 'Delete a card for good',
    description:
      'Deletes the encrypted number, the instrument and all tokens of the card; there is no way back. Payments keep its network and last four digits. What was sent to a processor before goes on; a payment that was not is declined with `card_deleted`, and so is the renewal of each subscription in `subscriptionIds` until it gets another card. Processors that keep cards keep what they were sent: delete it there.',
    params: ofInstrument,
    status: 200,
    response: deletedPaymentInstrument,
    errors: ['resource_missing'],
    emits: ['s_payment_instrument_deleted'],
    idempotent: 'transaction',
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/payment-instruments',
    audience: 'key',
    scope: 'payment-instruments:read',
    summary: 'List payment instruments',
    description: howToList,
    ...listOf(paymentInstrument, {
      customerId: ofResource('customer', 'Only cards of this customer.'),
      storeId: ofResource('store', 'Only cards of customers of this store.'),
      active: flagFilter('Only cards that can be charged, or only those that cannot.'),
      ...createdBetween,
      q: searchFor('the last four digits, and the network if you like', 'visa 4242'),
    }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>
