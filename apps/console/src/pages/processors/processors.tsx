import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Badge, Copy, Dialog, Input, Select, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { Status } from '../../shell/status.tsx'
import './processors.css'
import { SchemaFields } from './schema-fields.tsx'
import { text } from './text.ts'
import { cleaned, type ProcessorDetails, type Settings, useDrivers } from './words.ts'

const columns = (): readonly Column<ListEntry<'processors.list'>>[] => [
  { title: text('name'), cell: ({ name }) => name },
  { title: text('driver'), rank: 2, cell: ({ driver }) => driver },
  { title: text('status'), isNarrow: true, cell: (processor) => <ProcessorStatus of={processor} /> },
  { title: text('processor'), rank: 3, cell: ({ id }) => <code>{id}</code> },
  { title: text('created'), isNarrow: true, rank: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Whether payments can go through a processor, whatever flows say. */
export function ProcessorStatus({ of: { archived, stopped } }: { of: ProcessorDetails }) {
  if (archived) return <Status of="archived" />
  return <Badge tone={stopped === null ? 'good' : 'bad'}>{text(stopped === null ? 'takes' : 'stopped')}</Badge>
}

/** The list of processors. */
export function Processors() {
  return (
    <ListPage
      list="processors.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/processors/${id}`}
      create={{ operation: 'processors.create', label: text('new'), form: NewProcessor }}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright processors add --help" />
        </Empty>
      }
    />
  )
}

function NewProcessor({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const drivers = useDrivers()
  const [name, setName] = useState('')
  const [driverName, setDriver] = useState('')
  const [settings, setSettings] = useState<Settings>({})
  const [secrets, setSecrets] = useState<TypedSecrets>({ secret: '', webhookSecret: '' })
  const driver = drivers.find((each) => each.driver === driverName)
  const change = useChange(
    async (input: Parameters<typeof api.processors.create>[0], options) => {
      const { id } = await api.processors.create(input, options)
      route(`/console/processors/${id}`)
    },
    ['processors.'],
  )
  const choose = (chosen: string) => {
    setDriver(chosen)
    setSettings({})
    setSecrets({ secret: '', webhookSecret: '' })
  }
  const run = () =>
    void change.run({ name, driver: driverName, settings: given(cleaned(settings)), ...sentSecrets(secrets) })
  const isReady = name.trim() !== '' && driver !== undefined && (driver.secret === null || secrets.secret !== '')
  return (
    <Dialog title={text('new')} onClose={onClose}>
      <Select
        label={text('driver')}
        value={driverName}
        options={[
          { value: '', name: text('chooseDriver') },
          ...drivers.map((each) => ({ value: each.driver, name: each.title })),
        ]}
        onValue={choose}
      />
      {driver !== undefined && <p class="hint">{text(driver.movesMoney ? 'moves' : 'movesNot')}</p>}
      <Input label={text('name')} maxLength={255} required value={name} onValue={setName} />
      {driver !== undefined && (
        <>
          <SecretFields driver={driver} hint="secretWanted" value={secrets} onValue={setSecrets} />
          <SchemaFields schema={driver.settings} value={settings} onValue={setSettings} />
        </>
      )}
      <Decision change={change} label={text('new')} kind="main" disabled={!isReady} onClose={onClose} run={run} />
    </Dialog>
  )
}

/** The settings that were given at all. */
function given(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
}

/** Secrets as they are typed. They go in, and never come out. */
interface TypedSecrets {
  secret: string
  webhookSecret: string
}

interface SecretFieldsProps {
  driver: { secret: string | null; webhookSecret: string | null }
  hint: 'secretWanted' | 'secretKept'
  value: TypedSecrets
  onValue: (value: TypedSecrets) => void
}

/** Fields for the secrets that a driver wants. */
export function SecretFields({ driver, hint, value, onValue }: SecretFieldsProps) {
  return (
    <>
      {(['secret', 'webhookSecret'] as const).map((field) => {
        const what = driver[field]
        if (what === null) return null
        const isKept = hint === 'secretKept' && field === 'webhookSecret'
        return (
          <Input
            key={field}
            label={text(field)}
            hint={text(isKept ? 'webhookSecretKept' : hint, { what })}
            type="password"
            maxLength={1_000}
            value={value[field]}
            onValue={(typed) => onValue({ ...value, [field]: typed })}
          />
        )
      })}
    </>
  )
}

/** The secrets that were typed. */
export function sentSecrets({ secret, webhookSecret }: TypedSecrets) {
  return {
    ...(secret.trim() !== '' && { secret: secret.trim() }),
    ...(webhookSecret.trim() !== '' && { webhookSecret: webhookSecret.trim() }),
  }
}
