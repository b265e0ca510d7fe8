import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Dialog, Input, Select } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Decision } from '../../forms/decision.tsx'
import { useMay } from '../../shell/session.ts'
import { Outside } from './outside.tsx'
import { text } from './text.ts'
import { affects, type StorePlugin } from './words.ts'

/** Names that lead to a deployment of a plugin, or to whichever is live. */
export function Aliases({ plugin }: { plugin: StorePlugin }) {
  const may = useMay()
  const { storeId, pluginId } = plugin
  const [isOpen, setOpen] = useState(false)
  const [removed, setRemoved] = useState<string | null>(null)
  const read = useRead('pluginManagement.aliases', { storeId })
  return (
    <Section
      title={text('aliases')}
      actions={may('pluginManagement.setAlias') && <Button onClick={() => setOpen(true)}>{text('addAlias')}</Button>}
    >
      <Loaded read={read}>
        {({ aliases }) => {
          const own = aliases.filter((each) => each.pluginId === pluginId)
          if (own.length === 0) return <p class="hint">{text('noAliases')}</p>
          return (
            <ul class="places">
              {own.map(({ name, url, follows, deploymentId }) => (
                <li key={name}>
                  <Outside to={url} name={name} />
                  <span class="hint">
                    <Target plugin={plugin} follows={follows} deploymentId={deploymentId} />
                  </span>
                  {may('pluginManagement.removeAlias') && (
                    <span class="ends">
                      <Button kind="plain" icon="close" onClick={() => setRemoved(name)}>
                        <span class="hidden-text">{text('removePlace', { place: name })}</span>
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      {isOpen && <NewAlias plugin={plugin} onClose={() => setOpen(false)} />}
      {removed !== null && <RemoveAlias storeId={storeId} name={removed} onClose={() => setRemoved(null)} />}
    </Section>
  )
}

interface TargetProps {
  plugin: StorePlugin
  follows: 'active' | 'deployment'
  deploymentId: string
}

/** Deployment that an alias or a domain serves: always the live one, or a fixed one. */
export function Target({ plugin, follows, deploymentId }: TargetProps) {
  const { data } = useRead('pluginManagement.view', follows === 'active' ? null : { deploymentId })
  if (follows === 'active') return <>{text('followsLive')}</>
  const version =
    data?.deployment.version ?? (deploymentId === plugin.active?.id ? plugin.active.version : deploymentId)
  return <>{text('staysWith', { version })}</>
}

/** A field for what is shown: the live deployment, whichever that is, or one that stays. Its empty value is the live one. */
export function TargetSelect({ plugin, value, onValue }: TargetSelectProps) {
  const { storeId, pluginId } = plugin
  const { data } = useRead('pluginManagement.list', { storeId, pluginId, limit: 100 })
  const options = (data?.data ?? []).filter(({ state }) => state !== 'removed')
  return (
    <Select
      label={text('shows')}
      value={value}
      onValue={onValue}
      options={[
        { value: '', name: text('followsLive') },
        ...options.map(({ id, version }) => ({ value: id, name: text('staysWith', { version }) })),
      ]}
    />
  )
}

interface TargetSelectProps {
  plugin: StorePlugin
  value: string
  onValue: (deploymentId: string) => void
}

function NewAlias({ plugin, onClose }: { plugin: StorePlugin; onClose: () => void }) {
  const { storeId, pluginId } = plugin
  const [name, setName] = useState('')
  const [deploymentId, setDeployment] = useState('')
  const change = useChange(
    (input: Parameters<typeof api.pluginManagement.setAlias>[0], options) =>
      api.pluginManagement.setAlias(input, options),
    affects,
  )
  const run = async () => {
    const target = deploymentId === '' ? { pluginId } : { deploymentId }
    if (await change.run({ storeId, name, ...target })) onClose()
  }
  return (
    <Dialog title={text('addAlias')} onClose={onClose}>
      <Input label={text('alias')} hint={text('aliasHint')} maxLength={30} required value={name} onValue={setName} />
      <TargetSelect plugin={plugin} value={deploymentId} onValue={setDeployment} />
      <Decision
        change={change}
        label={text('addAlias')}
        kind="main"
        disabled={name === ''}
        onClose={onClose}
        run={run}
      />
    </Dialog>
  )
}

function RemoveAlias({ storeId, name, onClose }: { storeId: string; name: string; onClose: () => void }) {
  const change = useChange(
    (input: { storeId: string; name: string }, options) => api.pluginManagement.removeAlias(input, options),
    affects,
  )
  const title = text('removePlace', { place: name })
  const run = async () => {
    if (await change.run({ storeId, name })) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('removeAlias.effect')}</p>
      <Decision change={change} label={title} onClose={onClose} run={run} />
    </Dialog>
  )
}
