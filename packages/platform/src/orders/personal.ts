import { isObject } from '@tillwright/contract/json'
import { kept, type PersonalTable, replaced, replacedJson } from '../storage/index.ts'

const books = kept('records_of_sales')

/** The goods sold and the country stay; the buyer goes, and with them the merchant's notes. */
export const ordersPersonalData: PersonalTable[] = [
  {
    table: 'orders',
    key: ['id'],
    customer: 'customer_id',
    columns: {
      id: books,
      customer_id: books,
      status: books,
      currency: books,
      amount: books,
      pricing: replacedJson('prices and taxes, without what was answered about a risk or in words', withoutWords),
      lines: books,
      metadata: replaced('nothing: it is the merchant’s own text, which may name the buyer', () => '{}'),
      buyer: replacedJson('the countries of both addresses, which taxes depend on', withoutPerson),
      created_at: books,
      updated_at: books,
      paid_at: books,
    },
    others: 'account_id store_id is_preview revision',
  },
]

function withoutWords(pricing: unknown): unknown {
  if (!isObject(pricing) || !('hooks' in pricing)) return pricing
  const { hooks } = pricing
  if (!Array.isArray(hooks)) return pricing
  const answered = hooks.map((hook: unknown) => {
    const { kind = null, answer = null }: { kind?: unknown; answer?: unknown } = isObject(hook) ? hook : {}
    return { ...Object(hook), detail: null, answer: kind === 'risk' ? null : answer }
  })
  return { ...pricing, hooks: answered }
}

function withoutPerson(buyer: unknown): unknown {
  if (!isObject(buyer)) return buyer
  const { billingAddress, shippingAddress } = buyer
  return {
    email: '',
    firstName: '',
    lastName: '',
    phone: null,
    billingAddress: countryOf(billingAddress),
    shippingAddress: countryOf(shippingAddress),
  }
}

function countryOf(address: unknown): object | null {
  if (!isObject(address)) return null
  const { country = null } = address
  return { country }
}
