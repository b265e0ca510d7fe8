import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { changed, useRead } from '../../api/query.ts'
import { Check } from '../../design/choices.tsx'
import { Button, Copy, Dialog, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Conflict } from '../../objects/conflict.tsx'
import { Decision } from '../../objects/decision.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { Deliveries } from './deliveries.tsx'
import { Overlap } from './fields.tsx'
import { ReplayRange } from './replay-range.tsx'
import { text } from './text.ts'
import {
  type Endpoint,
  endpointBody,
  EndpointFields,
  type EndpointForm,
  endpointStatus,
  ShownSecret,
  typesOf,
} from './webhooks.tsx'
import './developers.css'

/** One webhook endpoint with what was sent to it. */
export function Webhook() {
  const { id = '' } = useRoute().params
  const read = useRead('webhookEndpoints.get', { endpointId: id })
  return <Loaded read={read}>{(endpoint) => <EndpointPage endpoint={endpoint} />}</Loaded>
}

type Open = 'edit' | 'rotate' | 'replay' | 'delete'

function EndpointPage({ endpoint }: { endpoint: Endpoint }) {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <Page
      title={endpoint.url}
      note={
        <>
          <Status of={endpointStatus(endpoint)} /> <Copy value={endpoint.id} />
        </>
      }
      actions={<Actions onOpen={setOpen} />}
    >
      <div class="stack">
        <Section title={text('details')}>
          <Facts of={factsOf(endpoint)} />
        </Section>
        <Deliveries query={{ endpointId: endpoint.id }} />
        <ApiCall operation="webhookEndpoints.get" input={{ endpointId: endpoint.id }} />
      </div>
      {open === 'edit' && <EditDialog endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateDialog endpoint={endpoint} onClose={close} />}
      {open === 'replay' && <ReplayRange endpointId={endpoint.id} onClose={close} />}
      {open === 'delete' && <DeleteDialog endpoint={endpoint} onClose={close} />}
    </Page>
  )
}

function Actions({ onOpen }: { onOpen: (what: Open) => void }) {
  const may = useMay()
  return (
    <>
      {may('webhookEndpoints.delete') && <Button onClick={() => onOpen('delete')}>{text('delete')}</Button>}
      {may('webhookEndpoints.rotateSecret') && <Button onClick={() => onOpen('rotate')}>{text('rotate')}</Button>}
      {may('webhookEndpoints.replayRange') && <Button onClick={() => onOpen('replay')}>{text('replay')}</Button>}
      {may('webhookEndpoints.update') && (
        <Button kind="main" onClick={() => onOpen('edit')}>
          {text('edit')}
        </Button>
      )}
    </>
  )
}

function factsOf(endpoint: Endpoint) {
  const { eventTypes, storeId, failingSince } = endpoint
  return [
    [text('events'), eventTypes === '*' ? typesOf(endpoint) : <code>{eventTypes.join(', ')}</code>],
    [text('store'), storeId === null ? text('allStores') : <a href={`/console/stores/${storeId}`}>{storeId}</a>],
    [text('drafts'), shared(endpoint.drafts ? 'filter.true' : 'filter.false')],
    [text('failingSince'), failingSince && <Time at={failingSince} />],
    [text('created'), <Time at={endpoint.createdAt} />],
  ] as const
}

interface DialogProps {
  endpoint: Endpoint
  onClose: () => void
}

type Edited = EndpointForm & { enabled: boolean }

function editedOf({ url, eventTypes, drafts, enabled }: Endpoint): Edited {
  return { url, types: eventTypes === '*' ? [] : eventTypes, drafts, enabled }
}

function EditDialog({ endpoint, onClose }: DialogProps) {
  const { id: endpointId } = endpoint
  const [form, setForm] = useState(() => editedOf(endpoint))
  const [revision] = useState(endpoint.revision)
  const change = useChange(
    async (sent: Edited & { revision: number }, options) => {
      const body = { ...endpointBody(sent), enabled: sent.enabled, revision: sent.revision }
      await api.webhookEndpoints.update({ endpointId, ...body }, options)
      onClose()
    },
    ['webhookEndpoints.'],
  )
  const { failure } = change
  if (failure?.code === 'revision_conflict') {
    const theirs = failure.current as Endpoint // of a conflict it is the object as it is now
    return (
      <Dialog title={text('edit')} onClose={onClose}>
        <Conflict
          fields={conflicting(form, editedOf(theirs))}
          isBusy={change.isRunning}
          onKeep={() => void change.run({ ...form, revision: theirs.revision })}
          onTake={() => {
            void changed('webhookEndpoints.')
            onClose()
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={text('edit')} onClose={onClose}>
      <EndpointFields form={form} onForm={(part) => setForm({ ...form, ...part })} />
      <Check label={text('enabled')} checked={form.enabled} onCheck={(enabled) => setForm({ ...form, enabled })} />
      <Decision
        kind="main"
        change={change}
        label={shared('save')}
        onClose={onClose}
        run={() => change.run({ ...form, revision })}
      />
    </Dialog>
  )
}

function conflicting(mine: Edited, theirs: Edited) {
  const yes = (is: boolean) => shared(is ? 'filter.true' : 'filter.false')
  const types = (some: readonly string[]) => (some.length === 0 ? text('allTypes') : some.join(', '))
  const fields = [
    { label: text('address'), mine: mine.url, theirs: theirs.url },
    { label: text('events'), mine: types(mine.types), theirs: types(theirs.types) },
    { label: text('drafts'), mine: yes(mine.drafts), theirs: yes(theirs.drafts) },
    { label: text('enabled'), mine: yes(mine.enabled), theirs: yes(theirs.enabled) },
  ]
  return fields.filter((field) => field.mine !== field.theirs)
}

function RotateDialog({ endpoint: { id: endpointId }, onClose }: DialogProps) {
  const [hours, setHours] = useState(24)
  const [secret, setSecret] = useState('')
  const change = useChange(
    async (overlapHours: number, options) => {
      setSecret((await api.webhookEndpoints.rotateSecret({ endpointId, overlapHours }, options)).secret)
    },
    ['webhookEndpoints.'],
  )
  if (secret !== '') return <ShownSecret title={text('rotate')} value={secret} onClose={onClose} />
  return (
    <Dialog title={text('rotate')} onClose={onClose}>
      <Overlap hours={hours} onHours={setHours} />
      <p>{text('rotateEffect')}</p>
      <Decision kind="main" change={change} label={text('rotate')} onClose={onClose} run={() => change.run(hours)} />
    </Dialog>
  )
}

function DeleteDialog({ endpoint: { id: endpointId }, onClose }: DialogProps) {
  const change = useChange(async (_: null, options) => {
    await api.webhookEndpoints.delete({ endpointId }, options)
    location.assign('/console/webhooks')
  }, [])
  return (
    <Dialog title={text('delete')} onClose={onClose}>
      <p>{text('deleteEffect')}</p>
      <Decision change={change} label={text('delete')} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
