import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Dialog } from '../../design/controls.tsx'
import { exactTime } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'
import { text } from './text.ts'
import { affects, type Deployment } from './words.ts'

interface DeploymentProps {
  deployment: Deployment
  onClose: () => void
}

/** Asks before a deployment is taken down. */
export function RemoveDialog({ deployment: { id, version }, onClose }: DeploymentProps) {
  const change = useChange(
    (deploymentId: string, options) => api.pluginManagement.remove({ deploymentId }, options),
    affects,
  )
  const title = text('remove', { version })
  const run = async () => {
    if (await change.run(id)) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('remove.effect')}</p>
      <Decision change={change} label={title} onClose={onClose} run={run} />
    </Dialog>
  )
}

/** Brings a removed deployment back, as long as its files are there. */
export function RestoreDialog({ deployment: { id, version, restorableUntil }, onClose }: DeploymentProps) {
  const change = useChange(
    (deploymentId: string, options) => api.pluginManagement.restore({ deploymentId }, options),
    affects,
  )
  const title = text('restore', { version })
  const run = async () => {
    if (await change.run(id)) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('restore.effect')}</p>
      {restorableUntil !== null && <p class="hint">{text('restore.until', { time: exactTime(restorableUntil) })}</p>}
      <Decision change={change} label={title} kind="main" onClose={onClose} run={run} />
    </Dialog>
  )
}
