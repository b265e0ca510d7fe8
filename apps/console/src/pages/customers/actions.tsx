import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Dialog, Input } from '../../design/controls.tsx'
import { Decision } from '../../forms/decision.tsx'
import { type Revision, SaveDialog } from '../../forms/save.tsx'
import { text } from './text.ts'

type CustomerDetails = ListEntry<'customers.list'>

interface ActionProps {
  customer: CustomerDetails
  onClose: () => void
}

const fields = ['email', 'firstName', 'lastName', 'phone'] as const
type Typed = Record<(typeof fields)[number], string>

/** Changes the customer's name, e-mail and phone. If another member has done so meanwhile, both versions are shown. */
export function EditDialog({ customer, onClose }: ActionProps) {
  const [base, setBase] = useState(customer)
  const [typed, setTyped] = useState(() => typedOf(customer))
  const changes = changesOf(typed, base)
  const change = useChange(
    ({ revision }: Revision<CustomerDetails>, options) =>
      api.customers.update({ customerId: customer.id, ...changes, revision }, options),
    ['customers.', 'paymentInstruments.'],
  )
  const take = (now: CustomerDetails) => {
    setBase(now)
    setTyped(typedOf(now))
  }
  return (
    <SaveDialog
      title={text('edit')}
      effect={text('editEffect')}
      change={change}
      base={base}
      mine={{ ...base, ...typed }}
      // Unchanged fields are not sent, so they are in no conflict.
      describe={(object) => fields.filter((name) => name in changes).map((name) => [text(name), object[name] ?? ''])}
      disabled={Object.keys(changes).length === 0}
      onClose={onClose}
      onTake={take}
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
    </SaveDialog>
  )
}

function typedOf({ email, firstName, lastName, phone }: CustomerDetails): Typed {
  return { email, firstName, lastName, phone: phone ?? '' }
}

/** The fields that differ; one that was emptied is cleared. */
function changesOf(typed: Typed, base: CustomerDetails): Partial<Record<keyof Typed, string | null>> {
  const before = typedOf(base)
  const changed = fields.filter((name) => typed[name].trim() !== before[name])
  return Object.fromEntries(changed.map((name) => [name, typed[name].trim() || null]))
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
