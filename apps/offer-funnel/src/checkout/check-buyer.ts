/** What a buyer types. */
export interface BuyerFields {
  email: string
  firstName: string
  lastName: string
  country: string
  line1: string
  postalCode: string
  city: string
}

export type BuyerField = keyof BuyerFields

/** What is wrong with a field, as a key of the texts. */
export type FieldProblem = 'missing' | 'emailInvalid' | 'fieldInvalid'

/** The fields in the order in which the form has them. */
export const contactFields = ['email', 'firstName', 'lastName'] as const satisfies readonly BuyerField[]
export const addressFields = ['country', 'line1', 'postalCode', 'city'] as const satisfies readonly BuyerField[]

/** Countries whose addresses have no postcode, of those without one in daily use. Source: UPU, addressing systems. */
const WITHOUT_POSTCODE = ['AE', 'AO', 'BW', 'BZ', 'CM', 'FJ', 'GH', 'HK', 'JM', 'MO', 'QA', 'UG', 'YE', 'ZW']

/** What is wrong with what a buyer has typed; empty if nothing is. */
export function checkBuyer(
  fields: BuyerFields,
  { asksAddress }: { asksAddress: boolean },
): Partial<Record<BuyerField, FieldProblem>> {
  const asked: BuyerField[] = asksAddress ? [...contactFields, ...addressFields] : [...contactFields]
  const needed = asked.filter((field) => field !== 'postalCode' || hasPostcode(fields.country))
  const missing = needed.filter((field) => fields[field].trim() === '')
  const problems = Object.fromEntries(missing.map((field) => [field, 'missing' as const]))
  return missing.includes('email') || isEmail(fields.email) ? problems : { ...problems, email: 'emailInvalid' }
}

/** Whether a text may be an e-mail address; the platform has the last word. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim())
}

/** Whether addresses of a country have a postcode. */
export function hasPostcode(country: string): boolean {
  return !WITHOUT_POSTCODE.includes(country)
}

/** The field that an error of the platform is about: `shippingAddress.postalCode` is `postalCode`. */
export function fieldOfParam(param: string | null): BuyerField | null {
  const last = param?.split('.').at(-1)
  return [...contactFields, ...addressFields].find((field) => field === last) ?? null
}
