import { names } from 'virtual:names'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Choices } from '../../design/choices.tsx'
import { Badge, Copy, Dialog, Input, Select, Time } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { useSession } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { StoreChoice } from './fields.tsx'
import { text } from './text.ts'

type Key = ListEntry<'apiKeys.list'>

const columns = (): readonly Column<Key>[] => [
  { title: text('name'), cell: ({ name, shown }) => name ?? shown },
  { title: text('key'), rank: 2, cell: ({ shown }) => <code>{shown}</code> },
  { title: text('kind'), isNarrow: true, rank: 3, cell: ({ kind }) => text(`kind.${kind}`) },
  { title: text('state'), isNarrow: true, cell: (key) => <KeyState of={key} /> },
  {
    title: text('lastUsed'),
    isNarrow: true,
    rank: 2,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? text('never') : <Time at={lastUsedAt} />),
  },
]

/** Whether a key can be used, and until when if it was rolled. */
export function KeyState({ of: { state, expiresAt } }: { of: Pick<Key, 'state' | 'expiresAt'> }) {
  const isEnding = state === 'good' && expiresAt !== null
  return (
    <>
      <Badge tone={isEnding ? 'wait' : state === 'good' ? 'good' : 'calm'}>
        {text(isEnding ? 'keyState.ending' : `keyState.${state}`)}
      </Badge>
    </>
  )
}

/** The list of API keys. */
export function Keys() {
  return (
    <ListPage
      list="apiKeys.list"
      title={shared('page.keys')}
      columns={columns()}
      pathOf={({ id }) => `/keys/${id}`}
      create={{ operation: 'apiKeys.create', label: text('newKey'), form: NewKey }}
      empty={
        <Empty title={text('noKeys')}>
          <p>{text('noKeysHint')}</p>
          <Copy value="tillwright keys create --help" />
        </Empty>
      }
    />
  )
}

interface KeyForm {
  kind: 'secret' | 'publishable'
  name: string
  scopes: readonly string[]
  storeId: string
  origins: string
}

const blank: KeyForm = { kind: 'secret', name: '', scopes: [], storeId: '', origins: '' }

/** Makes a key and shows it, once. */
function NewKey({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState(blank)
  const [made, setMade] = useState('')
  const change = useChange(
    async (sent: KeyForm, options) => {
      const { key } = await api.apiKeys.create(bodyOf(sent), options)
      setMade(key)
    },
    ['apiKeys.'],
  )
  const set = (part: Partial<KeyForm>) => setForm({ ...form, ...part })
  const isPublishable = form.kind === 'publishable'
  if (made !== '') return <OnceDialog title={text('newKey')} hint={text('keyOnce')} value={made} onClose={onClose} />
  return (
    <Dialog title={text('newKey')} onClose={onClose}>
      <Select
        label={text('kind')}
        hint={text(isPublishable ? 'kindHint.publishable' : 'kindHint.secret')}
        value={form.kind}
        onValue={(kind) => set({ kind: kind === 'publishable' ? 'publishable' : 'secret' })}
        options={(['secret', 'publishable'] as const).map((value) => ({ value, name: text(`kind.${value}`) }))}
      />
      <Input
        label={text('name')}
        hint={text('nameHint')}
        maxLength={100}
        value={form.name}
        onValue={(name) => set({ name })}
      />
      {isPublishable ? (
        <>
          <StoreChoice value={form.storeId} onValue={(storeId) => set({ storeId })} none={text('chooseStore')} />
          <Input
            label={text('origins')}
            hint={text('originsHint')}
            value={form.origins}
            onValue={(origins) => set({ origins })}
          />
        </>
      ) : (
        <Scopes chosen={form.scopes} onChange={(scopes) => set({ scopes })} />
      )}
      <Decision
        kind="main"
        change={change}
        label={text('createKey')}
        disabled={isPublishable && (form.storeId === '' || form.origins.trim() === '')}
        onClose={onClose}
        run={() => change.run(form)}
      />
    </Dialog>
  )
}

/** Members can grant a key at most the scopes of their own role. */
function Scopes({ chosen, onChange }: { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }) {
  const own = useSession().scopes
  const options = names.scopes.filter((scope) => own.includes(scope)).map((value) => ({ value, name: value }))
  return (
    <Choices label={text('scopes')} hint={text('scopesHint')} options={options} chosen={chosen} onChange={onChange} />
  )
}

type NewKeyBody = Parameters<typeof api.apiKeys.create>[0]

function bodyOf({ kind, name, scopes, storeId, origins }: KeyForm): NewKeyBody {
  const named = name.trim() === '' ? {} : { name: name.trim() }
  if (kind === 'publishable') return { kind, ...named, storeId, allowedOrigins: origins.trim().split(/[\s,]+/) }
  // The choices are scopes of the contract.
  const chosen = scopes as NonNullable<NewKeyBody['scopes']>
  return { kind, ...named, ...(chosen.length > 0 && { scopes: chosen }) }
}
