import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Dialog, Input } from '../../design/controls.tsx'
import { Decision } from '../../forms/decision.tsx'
import { type Described, type Revision, SaveDialog, useTyped } from '../../forms/save.tsx'
import type { PostalAddress } from '../../objects/address.tsx'
import { AddressFields, addressLine, changeOfAddress, type TypedAddress, typedAddress } from './address-fields.tsx'
import { text } from './text.ts'

type CustomerDetails = ListEntry<'customers.list'>

interface ActionProps {
  customer: CustomerDetails
  onClose: () => void
}

const fields = ['email', 'firstName', 'lastName', 'phone'] as const
const addresses = ['billingAddress', 'shippingAddress'] as const
type Typed = Record<(typeof fields)[number], string> & Record<(typeof addresses)[number], TypedAddress>

/** Changes who the customer is and where. If another member has done so meanwhile, both versions are shown. */
export function EditDialog({ customer, onClose }: ActionProps) {
  const { base, typed, setTyped, onTake } = useTyped(customer, typedOf)
  const changes = changesOf(typed, base)
  const change = useChange(
    ({ revision }: Revision<CustomerDetails>, options) =>
      api.customers.update({ customerId: customer.id, ...changes, revision }, options),
    ['customers.', 'paymentInstruments.'],
  )
  // Unchanged fields are not sent, so they are in no conflict.
  const describe = (object: CustomerDetails): Described => [
    ...fields.filter((name) => name in changes).map((name) => [text(name), object[name] ?? ''] as const),
    ...addresses.filter((name) => name in changes).map((name) => [text(name), addressLine(object[name])] as const),
  ]
  return (
    <SaveDialog
      title={text('edit')}
      effect={text('editEffect')}
      change={change}
      base={base}
      mine={{ ...base, ...typed }}
      describe={describe}
      disabled={Object.keys(changes).length === 0}
      onClose={onClose}
      onTake={onTake}
    >
      {fields.map((name) => (
        <Input
          key={name}
          label={text(name)}
          type={name === 'email' ? 'email' : 'text'}
          maxLength={name === 'email' ? 254 : 255}
          value={typed[name]}
          onValue={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
      {addresses.map((name) => (
        <AddressFields
          key={name}
          of={name}
          value={typed[name]}
          onValue={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
    </SaveDialog>
  )
}

function typedOf({ email, firstName, lastName, phone, billingAddress, shippingAddress }: CustomerDetails): Typed {
  return {
    email,
    firstName,
    lastName,
    phone: phone ?? '',
    billingAddress: typedAddress(billingAddress),
    shippingAddress: typedAddress(shippingAddress),
  }
}

/** The fields that differ; one that was emptied is cleared. */
function changesOf(typed: Typed, base: CustomerDetails) {
  const before = typedOf(base)
  const person = fields
    .filter((name) => typed[name].trim() !== before[name])
    .map((name) => [name, typed[name].trim() || null] as const)
  const places = addresses
    .map((name) => [name, changeOfAddress(typed[name], base[name])] as const)
    .filter(([, address]) => address !== undefined)
  return Object.fromEntries<string | PostalAddress | null | undefined>([...person, ...places])
}

/** Archives a customer, or takes an archived one back. */
export function ArchiveDialog({ customer: { id: customerId, revision, archived }, onClose }: ActionProps) {
  const change = useChange(
    async (_: null, options) => {
      const work = archived ? api.customers.unarchive : api.customers.archive
      await work({ customerId, revision }, options)
      onClose()
    },
    ['customers.'],
  )
  const label = text(archived ? 'unarchive' : 'archive')
  return (
    <Dialog title={label} onClose={onClose}>
      <p>{text(archived ? 'unarchiveEffect' : 'archiveEffect')}</p>
      <Decision change={change} kind="main" label={label} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
