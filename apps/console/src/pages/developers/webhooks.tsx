import { names } from 'virtual:names'
import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Check, Choices } from '../../design/choices.tsx'
import { Copy, Dialog, Input, Time } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { StoreChoice } from './fields.tsx'
import { text } from './text.ts'

/** A webhook endpoint as the API answers it. */
export type Endpoint = ResponseOf<Contract['webhookEndpoints']['get']>

/** How an endpoint stands: whether it gets events, and whether it takes them. */
export function endpointStatus({ enabled, failingSince }: Pick<Endpoint, 'enabled' | 'failingSince'>): string {
  if (!enabled) return 'disabled'
  return failingSince === null ? 'enabled' : 'failed'
}

/** The types of events that an endpoint gets, in a few words. */
export function typesOf({ eventTypes }: Pick<Endpoint, 'eventTypes'>): string {
  return eventTypes === '*' ? text('allTypes') : text('someTypes', { count: eventTypes.length })
}

const columns = (): readonly Column<Endpoint>[] => [
  { title: text('address'), cell: ({ url }) => url },
  { title: text('state'), isNarrow: true, cell: (endpoint) => <Status of={endpointStatus(endpoint)} /> },
  { title: text('events'), rank: 2, cell: typesOf },
  { title: text('created'), isNarrow: true, rank: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of webhook endpoints. */
export function Webhooks() {
  return (
    <ListPage
      list="webhookEndpoints.list"
      title={shared('page.webhooks')}
      columns={columns()}
      pathOf={({ id }) => `/webhooks/${id}`}
      create={{ operation: 'webhookEndpoints.create', label: text('newEndpoint'), form: NewEndpoint }}
      empty={
        <Empty title={text('noEndpoints')}>
          <p>{text('noEndpointsHint')}</p>
          <Copy value="tillwright events listen --forward-to http://localhost:3000/webhooks" />
        </Empty>
      }
    />
  )
}

/** Form values of an endpoint. Without types, it receives all events. */
export interface EndpointForm {
  url: string
  types: readonly string[]
  drafts: boolean
}

type Types = Exclude<Endpoint['eventTypes'], '*'>

/** The form as the API takes it. */
export function endpointBody({ url, types, drafts }: EndpointForm) {
  // The choices are types of the contract.
  return { url: url.trim(), eventTypes: types.length === 0 ? ('*' as const) : (types as Types), drafts }
}

/** The fields of a new and a changed endpoint. */
export function EndpointFields({ form, onForm }: { form: EndpointForm; onForm: (form: EndpointForm) => void }) {
  return (
    <>
      <Input
        label={text('address')}
        hint={text('addressHint')}
        type="url"
        required
        value={form.url}
        onValue={(url) => onForm({ ...form, url })}
      />
      <Choices
        label={text('events')}
        hint={text('eventsHint')}
        options={names.eventTypes.map((value) => ({ value, name: value }))}
        chosen={form.types}
        onChange={(types) => onForm({ ...form, types })}
      />
      <Check label={text('drafts')} checked={form.drafts} onCheck={(drafts) => onForm({ ...form, drafts })} />
    </>
  )
}

function NewEndpoint({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState<EndpointForm>({ url: '', types: [], drafts: false })
  const [storeId, setStoreId] = useState('')
  const [secret, setSecret] = useState('')
  const change = useChange(
    async (sent: EndpointForm & { storeId: string }, options) => {
      const body = { ...endpointBody(sent), ...(sent.storeId !== '' && { storeId: sent.storeId }) }
      setSecret((await api.webhookEndpoints.create(body, options)).secret)
    },
    ['webhookEndpoints.'],
  )
  if (secret !== '')
    return <OnceDialog title={text('newEndpoint')} hint={text('secretOnce')} value={secret} onClose={onClose} />
  return (
    <Dialog title={text('newEndpoint')} onClose={onClose}>
      <EndpointFields form={form} onForm={setForm} />
      <StoreChoice value={storeId} onValue={setStoreId} none={text('allStores')} />
      <Decision
        kind="main"
        change={change}
        label={text('createEndpoint')}
        disabled={form.url.trim() === ''}
        onClose={onClose}
        run={() => change.run({ ...form, storeId })}
      />
    </Dialog>
  )
}
