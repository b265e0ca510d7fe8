import { z } from 'zod'
import { label, timestamp } from '../text.ts'

const address = z.object({
  line1: label.nullish(),
  line2: label.nullish(),
  city: label.nullish(),
  state: label.nullish(),
  postalCode: label.nullish(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an upper-case ISO 3166-1 alpha-2 code, such as "DE"')
    .nullish(),
})

/** What a shop knows of a buyer; the customer is found by e-mail in the store, or made. */
export const customerData = z.object({
  email: z.email().max(254).nullish(),
  firstName: label.nullish(),
  lastName: label.nullish(),
  phone: label.nullish(),
  billingAddress: address.nullish(),
  shippingAddress: address.nullish(),
})
export type CustomerData = z.output<typeof customerData>

/** A customer as other resources show it. */
export const customer = z
  .object({ id: z.string(), email: z.string(), firstName: z.string(), lastName: z.string() })
  .meta({ id: 'Customer' })

export const createdCustomer = customer.extend({ createdAt: timestamp }).meta({ id: 'CreatedCustomer' })
export type CreatedCustomer = z.infer<typeof createdCustomer>
