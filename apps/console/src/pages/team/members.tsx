import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Choices } from '../../design/choices.tsx'
import { Button, Dialog, Input, Select } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Failure } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { Table } from '../../lists/table.tsx'
import { Decision } from '../../forms/decision.tsx'
import { ApiCallMenu } from '../../shell/api-call.tsx'
import { useAsked } from '../../shell/asked.ts'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { useStores } from '../../shell/stores.tsx'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

/** A member as the API answers it. */
export type Member = ResponseOf<Contract['members']['get']>

const roles = ['owner', 'developer', 'operations', 'support', 'read_only'] as const
type Role = (typeof roles)[number]

const PAGE = 100

const columns = (): readonly Column<Member>[] => [
  { title: text('email'), cell: ({ email }) => email },
  { title: text('name'), rank: 3, cell: ({ name }) => name ?? '' },
  { title: text('role'), cell: ({ role }) => shared(`role.${role}`) },
  { title: text('state'), isNarrow: true, rank: 2, cell: ({ status }) => <Status of={status} /> },
  { title: text('stores'), rank: 3, cell: storesOf },
]

/** How many stores a member sees. */
export function storesOf({ storeIds }: Pick<Member, 'storeIds'>): string {
  return storeIds === null ? text('allStores') : text('someStores', { count: storeIds.length })
}

/** The people of the account. */
export function Members() {
  const may = useMay()
  const [after, setAfter] = useState<string | null>(null)
  const [open, setOpen] = useAsked({ invite: may('members.invite') })
  const query = { limit: PAGE, ...(after !== null && { after }) }
  const read = useRead('members.list', query)
  const next = read.data?.nextCursor ?? null
  return (
    <Page
      title={shared('page.members')}
      isWide
      actions={
        <>
          <ApiCallMenu operation="members.list" input={query} />
          {may('members.invite') && (
            <Button kind="main" icon="plus" onClick={() => setOpen('invite')}>
              {text('invite')}
            </Button>
          )}
        </>
      }
    >
      {read.error !== null && <Failure failure={read.error} retry={() => read.refetch()} />}
      <Table
        title={shared('page.members')}
        columns={columns()}
        rows={read.data?.data ?? null}
        idOf={({ id }) => id}
        pathOf={({ id }) => `/members/${id}`}
      />
      {next !== null && <Button onClick={() => setAfter(next)}>{text('further')}</Button>}
      {open === 'invite' && <Invite onClose={() => setOpen(null)} />}
    </Page>
  )
}

/** A member's role and the stores to which it is limited. */
export interface Rights {
  role: Role
  /** Empty for all stores. */
  storeIds: readonly string[]
}

/** The fields of a member's rights. An owner sees all stores. */
export function RightsFields({ rights, onRights }: { rights: Rights; onRights: (rights: Rights) => void }) {
  const stores = useStores()
  return (
    <>
      <Select
        label={text('role')}
        hint={text(`roleHint.${rights.role}`)}
        value={rights.role}
        onValue={(value) => onRights({ ...rights, role: roles.find((each) => each === value) ?? 'read_only' })}
        options={roles.map((value) => ({ value, name: shared(`role.${value}`) }))}
      />
      {rights.role !== 'owner' && stores.length > 0 && (
        <Choices
          label={text('stores')}
          hint={text('storesHint')}
          options={stores.map(({ id, name }) => ({ value: id, name }))}
          chosen={rights.storeIds}
          onChange={(storeIds) => onRights({ ...rights, storeIds })}
        />
      )}
    </>
  )
}

type Invitation = Rights & { email: string; name: string }

function Invite({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState<Invitation>({ email: '', name: '', role: 'support', storeIds: [] })
  const [link, setLink] = useState('')
  const change = useChange(
    async ({ email, name, role, storeIds }: Invitation, options) => {
      const limited = role !== 'owner' && storeIds.length > 0
      const named = name.trim() === '' ? {} : { name: name.trim() }
      const body = { email: email.trim(), role, ...named, ...(limited && { storeIds: [...storeIds] }) }
      setLink((await api.members.invite(body, options)).link)
    },
    ['members.'],
  )
  if (link !== '') {
    const hint = text('linkOnce', { email: form.email })
    return <OnceDialog title={text('invite')} hint={hint} value={link} onClose={onClose} />
  }
  return (
    <Dialog title={text('invite')} onClose={onClose}>
      <Input
        label={text('email')}
        type="email"
        required
        value={form.email}
        onValue={(email) => setForm({ ...form, email })}
      />
      <Input label={text('name')} maxLength={100} value={form.name} onValue={(name) => setForm({ ...form, name })} />
      <RightsFields rights={form} onRights={(rights) => setForm({ ...form, ...rights })} />
      <Decision
        kind="main"
        change={change}
        label={text('makeLink')}
        disabled={!form.email.includes('@')}
        onClose={onClose}
        run={() => change.run(form)}
      />
    </Dialog>
  )
}
