import { z } from 'zod'
import { archived, changeOf, revised } from '../changes.ts'
import { idOf, referenceTo } from '../ids.ts'
import { METADATA_KEY_MAX_CHARS, METADATA_MAX_KEYS } from '../limits.ts'
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

export type Address = z.infer<typeof address>

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

/** A change of metadata: null removes a key. How many keys there are is counted after the change. */
export const metadataChange = z.record(z.string().max(METADATA_KEY_MAX_CHARS), label.nullable()).meta({
  description: `Keys to set; null removes a key. At most ${METADATA_MAX_KEYS} keys after the change.`,
  examples: [{ tier: 'gold' }],
})

const metadata = z
  .record(z.string(), z.string())
  .meta({ description: 'Your own metadata of the customer.', examples: [{ tier: 'gold' }] })

/** The body of `POST /api/payments/v1/customers`. */
export const newCustomer = customerData.extend({
  storeId: referenceTo('store', 'The store that the customer belongs to.'),
  metadata: z
    .record(z.string().max(METADATA_KEY_MAX_CHARS), label)
    .refine(
      (entries) => Object.keys(entries).length <= METADATA_MAX_KEYS,
      `must have at most ${METADATA_MAX_KEYS} keys`,
    )
    .optional()
    .meta({
      maxProperties: METADATA_MAX_KEYS,
      description: `Your own metadata of the customer: at most ${METADATA_MAX_KEYS} keys. Kept only: your systems recognize the customer by it.`,
      examples: [{ tier: 'gold' }],
    }),
})

/** The fields of a customer that an update can change. */
export const customerChange = changeOf({
  email: z
    .email()
    .max(254)
    .nullable()
    .meta({
      description: 'E-mail address. Payments with `customerData` find the customer by it, ignoring case.',
      examples: ['ada@example.com'],
    }),
  firstName: label.nullable().meta({ description: 'Given name.', examples: ['Ada'] }),
  lastName: label.nullable().meta({ description: 'Family name.', examples: ['Byrne'] }),
  phone: label.nullable().meta({ description: 'Telephone number.', examples: ['+353 1 555 0100'] }),
  billingAddress: address.nullable().meta({ description: 'The billing address; its fields are changed one by one.' }),
  shippingAddress: address.nullable().meta({ description: 'The shipping address; its fields are changed one by one.' }),
  metadata: metadataChange,
})

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
    metadata,
    archived,
    createdAt: timestamp.meta({ description: 'When the customer was first seen.' }),
    ...revised,
  })
  .meta({ id: 'CustomerRecord', description: 'A buyer in one store, with the details of the latest order.' })
export type CustomerRecord = z.infer<typeof customerRecord>
