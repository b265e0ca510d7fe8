import { z } from 'zod'
import { idOf } from '../ids.ts'
import { country, label, timestamp } from '../text.ts'

/** A postal address. */
export const address = z.object({
  line1: label.nullish().meta({ description: 'Street and number.', examples: ['12 Weaver Street'] }),
  line2: label.nullish().meta({ description: 'Apartment, floor or company.', examples: ['Flat 3'] }),
  city: label.nullish().meta({ description: 'City or town.', examples: ['Dublin'] }),
  state: label.nullish().meta({ description: 'State, province or county.', examples: ['Leinster'] }),
  postalCode: label.nullish().meta({ description: 'Postal code.', examples: ['D08 X2Y4'] }),
  country: country.nullish().meta({ description: 'Upper-case ISO 3166-1 alpha-2 code.', examples: ['IE'] }),
})

/** A buyer's details. The customer with this e-mail address in the store is used, or a new one is created. */
export const customerData = z.object({
  email: z
    .email()
    .max(254)
    .nullish()
    .meta({ description: 'Identifies the customer in the store, ignoring case.', examples: ['ada@example.com'] }),
  firstName: label.nullish().meta({ description: 'Given name.', examples: ['Ada'] }),
  lastName: label.nullish().meta({ description: 'Family name.', examples: ['Byrne'] }),
  phone: label.nullish().meta({ description: 'Telephone number.', examples: ['+353 1 555 0100'] }),
  billingAddress: address.nullish().meta({ description: 'The billing address.' }),
  shippingAddress: address.nullish().meta({ description: 'The shipping address.' }),
})
export type CustomerData = z.output<typeof customerData>

/** A customer as other resources show it. */
export const customer = z
  .object({
    id: idOf('customer', 'The id of the customer.'),
    email: z.string().meta({ description: 'E-mail address; empty if unknown.', examples: ['ada@example.com'] }),
    firstName: z.string().meta({ description: 'Given name; empty if unknown.', examples: ['Ada'] }),
    lastName: z.string().meta({ description: 'Family name; empty if unknown.', examples: ['Byrne'] }),
  })
  .meta({ id: 'Customer', description: 'A buyer in one store.' })

export const createdCustomer = customer
  .extend({ createdAt: timestamp.meta({ description: 'When the customer was first seen.' }) })
  .meta({ id: 'CreatedCustomer', description: 'A buyer in one store.' })
export type CreatedCustomer = z.infer<typeof createdCustomer>

/** A customer with all that is known of the buyer. */
export const customerRecord = customer
  .extend({
    accountId: idOf('account', 'The account that the customer belongs to.'),
    storeId: idOf('store', 'The store that the customer belongs to.'),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'Telephone number.', examples: ['+353 1 555 0100'] }),
    billingAddress: address.nullable().meta({ description: 'The billing address.' }),
    shippingAddress: address.nullable().meta({ description: 'The shipping address.' }),
    createdAt: timestamp.meta({ description: 'When the customer was first seen.' }),
  })
  .meta({ id: 'CustomerRecord', description: 'A buyer in one store, with the details of the latest order.' })
export type CustomerRecord = z.infer<typeof customerRecord>
