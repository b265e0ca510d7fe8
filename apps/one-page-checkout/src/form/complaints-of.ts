import type { AddressField } from '../address/address-format.ts'
import { checkAddress } from '../address/check-address.ts'
import type { Regions } from '../address/load-regions.ts'
import type { Settings } from '../look/settings.ts'
import type { Texts } from '../texts/languages.ts'
import { checkEmail, checkPhone } from './check-contact.ts'
import type { Draft } from './kept-draft.ts'

/** The two addresses of a form. */
export type AddressKind = 'shipping' | 'billing'

/** A field of the form. */
export type FieldName = 'email' | 'phone' | `${AddressKind}.${AddressField | 'country'}`

/** A problem with a field. */
export interface Complaint {
  text: keyof Texts
  values?: Readonly<Record<string, string>>
}

/** The form, and what it is held against. */
export interface FormRules {
  settings: Pick<Settings, 'phone' | 'address'>
  regions: Pick<Regions, 'formatOf'> | null
  /** Whether nothing is sent to the country that the session has been told. */
  isUnreachable: boolean
}

/** Names every field that is not right, in the order in which they stand in the form. */
export function complaintsOf(draft: Draft, { settings, regions, isUnreachable }: FormRules): Map<FieldName, Complaint> {
  const complaints = new Map<FieldName, Complaint>()
  const note = (name: FieldName, text: Complaint['text'] | null): void => {
    if (text !== null) complaints.set(name, { text })
  }
  note('email', checkEmail(draft.email))
  if (settings.phone !== 'hidden') note('phone', checkPhone(draft.phone, settings.phone === 'required'))
  if (settings.address === 'none' || regions === null) return complaints
  if (isUnreachable) note('shipping.country', 'noShipping')
  const kinds: readonly AddressKind[] = draft.isBillingSame ? ['shipping'] : ['shipping', 'billing']
  for (const kind of kinds) {
    const format = regions.formatOf(draft[kind].country ?? '')
    for (const [field, text] of checkAddress(draft[kind], format)) {
      complaints.set(`${kind}.${field}`, { text, values: { example: format.postal.example } })
    }
  }
  return complaints
}
