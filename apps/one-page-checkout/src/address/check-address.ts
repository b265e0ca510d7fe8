import type { AddressField, AddressFormat } from './address-format.ts'

/** The buyer's input, by field. */
export type TypedAddress = Readonly<Partial<Record<AddressField, string>>>

/** Why a field is not right; the end of a text's key. */
export type AddressComplaint = 'needed' | 'postalWrong' | 'tooLong'

/** The longest text that the platform takes in a field. */
const LABEL_MAX_CHARS = 255

/** Holds an address against the format of its country. @returns A complaint for each field that is not right. */
export function checkAddress(typed: TypedAddress, format: AddressFormat): Map<AddressField, AddressComplaint> {
  const complaints = new Map<AddressField, AddressComplaint>()
  for (const field of format.rows.flat()) {
    const complaint = checkField(field, (typed[field] ?? '').trim(), format)
    if (complaint !== null) complaints.set(field, complaint)
  }
  return complaints
}

function checkField(field: AddressField, text: string, { required, postal }: AddressFormat): AddressComplaint | null {
  if (text === '') return required.has(field) ? 'needed' : null
  if (text.length > LABEL_MAX_CHARS) return 'tooLong'
  const isWrong = field === 'postalCode' && postal.pattern?.test(text.toUpperCase()) === false
  return isWrong ? 'postalWrong' : null
}
