import { Input } from '../../design/controls.tsx'
import type { PostalAddress } from '../../objects/address.tsx'
import { text } from './text.ts'

const fields = ['line1', 'line2', 'postalCode', 'city', 'state', 'country'] as const

/** An address as it is typed; empty where nothing is known. */
export type TypedAddress = Readonly<Record<(typeof fields)[number], string>>

interface AddressFieldsProps {
  of: 'billingAddress' | 'shippingAddress'
  value: TypedAddress
  onValue: (value: TypedAddress) => void
}

/** The fields of one address, closed until they are wanted. */
export function AddressFields({ of: kind, value, onValue }: AddressFieldsProps) {
  return (
    <details class="address-fields">
      <summary>{text(kind)}</summary>
      <fieldset class="stack" aria-label={text(kind)}>
        {fields.map((name) => (
          <Input
            key={name}
            label={text(name)}
            {...(name === 'country' && { hint: text('countryHint') })}
            maxLength={name === 'country' ? 2 : 255}
            value={value[name]}
            onValue={(typed) => onValue({ ...value, [name]: name === 'country' ? typed.toUpperCase() : typed })}
          />
        ))}
      </fieldset>
    </details>
  )
}

/** The fields of an address that is known, or of none. */
export function typedAddress(address: PostalAddress | null): TypedAddress {
  const { line1, line2, postalCode, city, state, country } = address ?? {}
  return {
    line1: line1 ?? '',
    line2: line2 ?? '',
    postalCode: postalCode ?? '',
    city: city ?? '',
    state: state ?? '',
    country: country ?? '',
  }
}

/** The fields that differ from the known address; `null` takes it away, `undefined` leaves it as it is. */
export function changeOfAddress(typed: TypedAddress, base: PostalAddress | null): PostalAddress | null | undefined {
  const before = typedAddress(base)
  const changed = fields.filter((name) => typed[name].trim() !== before[name])
  if (changed.length === 0) return undefined
  if (fields.every((name) => typed[name].trim() === '')) return null
  return Object.fromEntries(changed.map((name) => [name, typed[name].trim() || null]))
}

/** An address in one line. */
export function addressLine(address: PostalAddress | null): string {
  const typed = typedAddress(address)
  return fields.flatMap((name) => typed[name] || []).join(', ')
}
