/** The buyer's input. */
export interface BuyerFields {
  email: string
  firstName: string
  lastName: string
  country: string
  line1: string
  postalCode: string
  city: string
  /** State, province or emirate. */
  state: string
}

export type BuyerField = keyof BuyerFields

/** The problem with a field, as a key of the texts. */
export type FieldProblem = 'missing' | 'emailInvalid' | 'fieldInvalid'

/** The fields in the order in which the form has them. */
const contactFields = ['email', 'firstName', 'lastName'] as const satisfies readonly BuyerField[]
export const addressFields = [
  'country',
  'line1',
  'postalCode',
  'city',
  'state',
] as const satisfies readonly BuyerField[]

/** Countries whose addresses have no postcode, of those without one in daily use. Source: UPU, addressing systems. */
const WITHOUT_POSTCODE = ['AE', 'AO', 'BW', 'BZ', 'CM', 'FJ', 'GH', 'HK', 'JM', 'MO', 'QA', 'UG', 'YE', 'ZW']

/** Countries in whose addresses the state, province or emirate is not left out. Source: UPU, addressing systems. */
const WITH_STATE = ['AE', 'AU', 'BR', 'CA', 'IN', 'MX', 'MY', 'US']

/** Validates the buyer's input. Returns a problem per invalid field. */
export function checkBuyer(
  fields: BuyerFields,
  { asksAddress }: { asksAddress: boolean },
): Partial<Record<BuyerField, FieldProblem>> {
  const asked: BuyerField[] = asksAddress ? [...contactFields, ...addressFields] : [...contactFields]
  const needed = asked.filter((field) => isAsked(field, fields.country))
  const missing = needed.filter((field) => fields[field].trim() === '')
  const problems = Object.fromEntries(missing.map((field) => [field, 'missing' as const]))
  return missing.includes('email') || isEmail(fields.email) ? problems : { ...problems, email: 'emailInvalid' }
}

/** Whether a text may be an e-mail address; the platform has the last word. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim())
}

/** Whether a field is part of addresses of a country. */
export function isAsked(field: BuyerField, country: string): boolean {
  if (field === 'postalCode') return !WITHOUT_POSTCODE.includes(country)
  return field !== 'state' || WITH_STATE.includes(country)
}

/** The field that an error of the platform is about: `shippingAddress.postalCode` is `postalCode`. */
export function fieldOfParam(param: string | null): BuyerField | null {
  const last = param?.split('.').at(-1)
  return [...contactFields, ...addressFields].find((field) => field === last) ?? null
}
