import { checkDebit, type DebitFault, type TypedDebit } from '@tillwright/plugin-sdk/methods'
import type { AddressField } from '../address/address-format.ts'
import { checkAddress } from '../address/check-address.ts'
import { formatOf } from '../address/regions.ts'
import type { Settings } from '../look/settings.ts'
import type { Texts } from '../texts/languages.ts'
import type { Draft } from './kept-draft.ts'

/** The two addresses of a form. */
export type AddressKind = 'shipping' | 'billing'

/** A field of the form. */
export type FieldName = 'email' | 'phone' | `${AddressKind}.${AddressField | 'country'}` | keyof TypedDebit

/** A problem with a field. */
export interface Complaint {
  text: keyof Texts
  values?: Readonly<Record<string, string>>
}

/** The form, and what it is held against. */
export interface FormRules {
  settings: Pick<Settings, 'phone' | 'address'>
  /** Whether the shop does not ship to the session's country. */
  isUnreachable: boolean
}

/** Names every field that is not right, in the order in which they stand in the form. */
export function complaintsOf(draft: Draft, { settings, isUnreachable }: FormRules): Map<FieldName, Complaint> {
  const complaints = new Map<FieldName, Complaint>()
  const note = (name: FieldName, text: Complaint['text'] | null): void => {
    if (text !== null) complaints.set(name, { text })
  }
  note('email', checkEmail(draft.email))
  if (settings.phone !== 'hidden') note('phone', checkPhone(draft.phone, settings.phone === 'required'))
  if (settings.address === 'none') return complaints
  if (isUnreachable) note('shipping.country', 'noShipping')
  const kinds: readonly AddressKind[] = draft.isBillingSame ? ['shipping'] : ['shipping', 'billing']
  for (const kind of kinds) {
    const format = formatOf(draft[kind].country ?? '')
    for (const [field, text] of checkAddress(draft[kind], format)) {
      complaints.set(`${kind}.${field}`, { text, values: { example: format.postal.example } })
    }
  }
  return complaints
}

/** Names every field of a debit that is not right. */
export function complaintsOfDebit(debit: TypedDebit): Map<FieldName, Complaint> {
  const { mandateAccepted, ...typed } = checkDebit(debit)
  const complaints = Object.entries(typed).map(([name, fault]) => [name as FieldName, { text: faults[fault] }] as const) // of the typed fields
  return new Map([...complaints, ...(mandateAccepted ? [['mandateAccepted', { text: 'mandateNeeded' }] as const] : [])])
}

const faults: Readonly<Record<DebitFault, Complaint['text']>> = {
  missing: 'needed',
  form: 'ibanForm',
  check_digits: 'ibanDigits',
}

/** Why a contact is not right; the end of a text's key. */
export type ContactComplaint = 'needed' | 'emailWrong' | 'phoneWrong'

const EMAIL_MAX_CHARS = 254

/**
 * Holds an e-mail address against the rule of the platform.
 *
 * @returns `null` for a good one.
 */
export function checkEmail(text: string): ContactComplaint | null {
  const email = text.trim()
  if (email === '') return 'needed'
  const isEmail = /^[\w.+'-]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(email)
  const hasGap = email.startsWith('.') || email.includes('..')
  return isEmail && !hasGap && email.length <= EMAIL_MAX_CHARS ? null : 'emailWrong'
}

/** The same for a telephone number: 5 to 20 digits of any script, with what people write between them. */
export function checkPhone(text: string, isRequired: boolean): ContactComplaint | null {
  const phone = text.trim()
  if (phone === '') return isRequired ? 'needed' : null
  const digits = phone.replace(/[\s()./+-]/g, '')
  return /^\p{Nd}{5,20}$/u.test(digits) ? null : 'phoneWrong'
}
