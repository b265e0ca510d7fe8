import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Dialog } from '../../design/controls.tsx'
import { Loaded } from '../../design/states.tsx'
import { Decision } from '../../forms/decision.tsx'
import { Between, Summary } from './differences.tsx'
import { text } from './text.ts'
import { affects, type Deployment, pluginPath, type StorePlugin } from './words.ts'

interface SwitchProps {
  plugin: StorePlugin
  onClose: () => void
}

/** Asks before a deployment becomes the live one, and says what changes for visitors. */
export function ActivateDialog({ plugin, to, onClose }: SwitchProps & { to: Deployment }) {
  const change = useChange((deploymentId: string, options) => {
    return api.pluginManagement.activate({ deploymentId }, options)
  }, affects)
  const run = async () => {
    if (await change.run(to.id)) onClose()
  }
  const title = text('activate', { version: to.version })
  return (
    <Dialog title={title} onClose={onClose}>
      <Effect plugin={plugin} to={to} />
      <Decision change={change} label={title} kind="main" onClose={onClose} run={run} />
    </Dialog>
  )
}

/** The way back to what was live before. */
export function RollBackButton({ plugin }: { plugin: StorePlugin }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text('rollBack')}</Button>
      {isOpen && <RollBackDialog plugin={plugin} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Confirms a rollback. The platform chooses the deployment, since it skips removed ones. */
function RollBackDialog({ plugin, onClose }: SwitchProps) {
  const { storeId, pluginId } = plugin
  const [isDone, setDone] = useState(false)
  const read = useRead('pluginManagement.rollback', isDone ? null : { storeId, pluginId, dryRun: true })
  const change = useChange((_: string, options) => {
    setDone(true)
    return api.pluginManagement.rollback({ storeId, pluginId }, options)
  }, affects)
  return (
    <Dialog title={text('rollBack')} onClose={onClose}>
      <Loaded read={read}>
        {({ deployment }) => (
          <>
            <Effect plugin={plugin} to={deployment} />
            <Decision
              change={change}
              label={text('rollBackTo', { version: deployment.version })}
              kind="main"
              onClose={onClose}
              run={async () => {
                if (await change.run(deployment.id)) onClose()
                else setDone(false)
              }}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** Effect of a switch: the deployment that visitors will see, and at which addresses. */
function Effect({ plugin, to }: { plugin: StorePlugin; to: Deployment }) {
  const { active, routes } = plugin
  const places = routes.filter(({ follows }) => follows === 'active').map(({ hostname, path }) => hostname + path)
  return (
    <>
      <p>
        {active === null
          ? text('effect.first', { version: to.version })
          : text('effect.switch', { from: active.version, to: to.version })}{' '}
        {places.length > 0 && text('effect.places', { places: places.join(', ') })}
      </p>
      <Between from={active?.id ?? null} to={to.id}>
        {(difference) => <Summary of={difference} />}
      </Between>
      <p class="hint">{text('effect.settings')}</p>
      {active !== null && (
        <a href={`/console${pluginPath(plugin, `/compare?from=${active.id}&to=${to.id}`)}`}>{text('compareInFull')}</a>
      )}
    </>
  )
}
