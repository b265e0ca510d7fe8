import './processors.css'
import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Badge, Button, Copy, Dialog, Input, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { type Revision, SaveDialog, ConfirmDialog } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { Decision } from '../../forms/decision.tsx'
import { ProcessorHealth } from '../../objects/processor-health.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { ProcessorStatus, SecretFields, sentSecrets } from './processors.tsx'
import { SecretCheck } from './secret-check.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { text } from './text.ts'
import {
  cleaned,
  describeProcessor,
  describeSettings,
  type ProcessorDetails,
  type Settings,
  useDrivers,
} from './words.ts'
import { Loaded } from '../../design/states.tsx'
import { describeFlow, type FlowDetails, partOf, useProcessors } from '../flows/words.ts'

/** One processor: its settings without its secrets, and the flows that use it. */
export function Processor() {
  const { id = '' } = useRoute().params
  const read = useRead('processors.get', { processorId: id })
  return <LoadedPage read={read}>{(processor) => <ProcessorPage processor={processor} />}</LoadedPage>
}

function ProcessorPage({ processor }: { processor: ProcessorDetails }) {
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'archive' | null>(null)
  const { id: processorId, name, archived, stopped } = processor
  const settings = describeSettings(processor)
  const close = () => setOpen(null)
  return (
    <Page
      title={name}
      note={
        <>
          <ProcessorStatus of={processor} /> <Copy value={processorId} />
        </>
      }
      actions={
        <>
          {!archived && may('processors.delete') && (
            <Button onClick={() => setOpen('archive')}>{forms('archive')}</Button>
          )}
          {may('processors.update') && <Button onClick={() => setOpen('edit')}>{forms('edit')}</Button>}
        </>
      }
    >
      <div class="columns">
        <div class="stack">
          {stopped !== null && (
            <p class="remark">
              {text('stopped')}: {stopped}
            </p>
          )}
          {!archived && <ProcessorHealth ids={[processorId]} />}
          {may('paymentFlows.search') && <UsedBy processorId={processorId} />}
          <Section title={text('settings')}>
            {settings.length === 0 ? <p class="hint">{text('settings.none')}</p> : <Facts of={settings} />}
          </Section>
          <ApiCall operation="processors.get" input={{ processorId }} />
        </div>
        <div class="stack">
          <ProcessorFacts processor={processor} />
        </div>
      </div>
      {open === 'edit' && <EditProcessor processor={processor} onClose={close} />}
      {open === 'archive' && <ArchiveProcessor processor={processor} onClose={close} />}
    </Page>
  )
}

function ProcessorFacts({ processor }: { processor: ProcessorDetails }) {
  const { id, driver: name, hasSecret, hasWebhookSecret, createdAt, updatedAt, revision } = processor
  const may = useMay()
  const driver = useDrivers().find((each) => each.driver === name)
  const isThere = (has: boolean) => <Badge tone={has ? 'good' : 'bad'}>{text(has ? 'isSet' : 'isMissing')}</Badge>
  return (
    <Section title={text('facts')}>
      <Facts
        of={[
          [text('driver'), driver?.title ?? name],
          [text('secret'), driver?.secret == null ? null : isThere(hasSecret)],
          [text('webhookSecret'), driver?.webhookSecret == null ? null : isThere(hasWebhookSecret)],
          [text('created'), <Time key="created" at={createdAt} />],
          [text('changed'), <Time key="changed" at={updatedAt} />],
        ]}
      />
      {hasSecret && driver !== undefined && may('processors.check') && <SecretCheck key={revision} processorId={id} />}
    </Section>
  )
}

const affects = ['processors.', 'paymentFlows.']

interface DialogProps {
  processor: ProcessorDetails
  onClose: () => void
}

function EditProcessor({ processor, onClose }: DialogProps) {
  const driver = useDrivers().find((each) => each.driver === processor.driver)
  const [base, setBase] = useState(processor)
  const [name, setName] = useState(processor.name)
  const [settings, setSettings] = useState<Settings>(processor.settings)
  const [secrets, setSecrets] = useState({ secret: '', webhookSecret: '' })
  const sent = cleaned(settings)
  const change = useChange(
    ({ revision }: Revision<ProcessorDetails>, options) =>
      api.processors.update(
        { processorId: processor.id, name, settings: sent, ...sentSecrets(secrets), revision },
        options,
      ),
    affects,
  )
  const take = (now: ProcessorDetails) => {
    setBase(now)
    setName(now.name)
    setSettings(now.settings)
  }
  return (
    <SaveDialog
      effect={text('edit.effect')}
      change={change}
      base={base}
      mine={{ ...base, name, settings: sent }}
      describe={describeProcessor}
      disabled={name.trim() === ''}
      onClose={onClose}
      onTake={take}
    >
      <Input label={text('name')} maxLength={255} required value={name} onValue={setName} />
      {driver !== undefined && (
        <>
          <SecretFields driver={driver} hint="secretKept" value={secrets} onValue={setSecrets} />
          <SchemaFields schema={driver.settings} value={settings} onValue={setSettings} />
        </>
      )}
    </SaveDialog>
  )
}

function ArchiveProcessor({ processor: { id }, onClose }: DialogProps) {
  const change = useChange(async (processorIds: string[], options) => {
    await api.processors.delete({ processorIds }, options)
    onClose()
  }, affects)
  return (
    <Dialog title={forms('archive')} onClose={onClose}>
      <p>{text('archive.effect')}</p>
      <Decision change={change} label={forms('archive')} onClose={onClose} run={() => change.run([id])} />
    </Dialog>
  )
}

const lists = ['processorConfigs', 'fallbackProcessorConfigs'] as const
type ListOfFlow = (typeof lists)[number]

/** The flows that a processor is in, with its part of each; there it is switched off and on. */
function UsedBy({ processorId }: { processorId: string }) {
  const read = useRead('paymentFlows.search', { limit: 100 })
  return (
    <Section title={text('flows')}>
      <Loaded read={read}>
        {({ data }) => {
          const uses = data.flatMap((flow) =>
            lists.flatMap((list) => {
              const at = flow[list].findIndex((each) => each.processorId === processorId)
              return at === -1 ? [] : [{ flow, list, at }]
            }),
          )
          if (uses.length === 0) return <p class="hint">{text('flows.none')}</p>
          return (
            <ul class="uses">
              {uses.map((use) => (
                <Use key={`${use.flow.id} ${use.list}`} {...use} />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

interface UseProps {
  flow: FlowDetails
  list: ListOfFlow
  at: number
}

function Use({ flow, list, at }: UseProps) {
  const may = useMay()
  const processors = useProcessors()
  const [isOpen, setOpen] = useState(false)
  const configs = flow[list]
  const isOff = configs[at]?.disabled === true
  const verb = isOff ? 'switchOn' : 'switchOff'
  const changed = configs.map((each, index) => (index === at ? { ...each, disabled: !isOff } : each))
  return (
    <li>
      <a href={`/console/flows/${flow.id}`}>{flow.name}</a>
      <span>
        {text(list === 'processorConfigs' ? 'inFirst' : 'inFallback')}:{' '}
        {partOf(configs, at, flow.pickProcessorStrategy)}
      </span>
      {may('paymentFlows.update') && <Button onClick={() => setOpen(true)}>{text(verb)}</Button>}
      {isOpen && (
        <ConfirmDialog
          of={flow}
          title={text(verb)}
          effect={text(`${verb}.effect`, { flow: flow.name })}
          label={text(verb)}
          kind={isOff ? 'main' : 'danger'}
          work={(input, options) =>
            api.paymentFlows.update({ paymentFlowId: flow.id, [list]: changed, ...input }, options)
          }
          describe={(each) => describeFlow(each, processors)}
          affects={['paymentFlows.']}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  )
}
