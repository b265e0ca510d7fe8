import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Check } from '../../design/choices.tsx'
import { Button, Copy, Dialog, Time } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { type Described, type Revision, SaveDialog } from '../../forms/save.tsx'
import { Decision } from '../../forms/decision.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { useAsked } from '../../shell/asked.ts'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { Deliveries } from './deliveries.tsx'
import { hoursFromNow, Overlap } from './fields.tsx'
import { ReplayRange } from './replay-range.tsx'
import { text } from './text.ts'
import { type Endpoint, endpointBody, EndpointFields, type EndpointForm, endpointStatus, typesOf } from './webhooks.tsx'
import './developers.css'

/** One webhook endpoint with what was sent to it. */
export function Webhook() {
  const { id = '' } = useRoute().params
  const read = useRead('webhookEndpoints.get', { endpointId: id })
  return <LoadedPage read={read}>{(endpoint) => <EndpointPage key={id} endpoint={endpoint} />}</LoadedPage>
}

type Open = 'edit' | 'rotate' | 'replay' | 'delete'

function EndpointPage({ endpoint }: { endpoint: Endpoint }) {
  const [open, setOpen] = useAsked<Open>({ replay: useMay()('webhookEndpoints.replayRange') })
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

function EditDialog({ endpoint, onClose }: DialogProps) {
  const [base] = useState(endpoint)
  const [form, setForm] = useState(() => editedOf(endpoint))
  const sent = { ...endpointBody(form), enabled: form.enabled }
  const change = useChange(
    ({ revision }: Revision<Endpoint>, options) =>
      api.webhookEndpoints.update({ endpointId: endpoint.id, ...sent, revision }, options),
    ['webhookEndpoints.'],
  )
  return (
    <SaveDialog change={change} base={base} mine={{ ...base, ...sent }} describe={describeEndpoint} onClose={onClose}>
      <EndpointFields form={form} onForm={(part) => setForm({ ...form, ...part })} />
      <Check label={text('enabled')} checked={form.enabled} onCheck={(enabled) => setForm({ ...form, enabled })} />
    </SaveDialog>
  )
}

function editedOf({ url, eventTypes, drafts, enabled }: Endpoint): EndpointForm & { enabled: boolean } {
  return { url, types: eventTypes === '*' ? [] : eventTypes, drafts, enabled }
}

function describeEndpoint({ url, eventTypes, drafts, enabled }: Endpoint): Described {
  return [
    [text('address'), url],
    [text('events'), eventTypes === '*' ? text('allTypes') : eventTypes.join(', ')],
    [text('drafts'), shared(`filter.${drafts}`)],
    [text('enabled'), shared(`filter.${enabled}`)],
  ]
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
  if (secret !== '')
    return <OnceDialog title={text('rotate')} hint={text('secretOnce')} value={secret} onClose={onClose} />
  return (
    <Dialog title={text('rotate')} onClose={onClose}>
      <Overlap hours={hours} onHours={setHours} />
      <p>{hours === 0 ? text('rotateAtOnce') : text('rotateEffect', { until: hoursFromNow(hours) })}</p>
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
