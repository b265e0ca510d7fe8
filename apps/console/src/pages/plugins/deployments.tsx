import { useRef, useState } from 'preact/hooks'
import { useRead, useReads } from '../../api/query.ts'
import { Badge, Button, Menu, Time, Dialog } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Bone, Failure } from '../../design/states.tsx'
import { useMay } from '../../shell/session.ts'
import { Thumbnail } from './picture.tsx'
import { ActivateDialog } from './switch.tsx'
import { text } from './text.ts'
import {
  actorName,
  type Deployment,
  type DeploymentView,
  pagesOf,
  pluginPath,
  sizeOf,
  sourceOf,
  type StorePlugin,
  toneOf,
  affects,
} from './words.ts'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { exactTime } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'

/** Each row reads its deployment, so few are shown at first. */
const AT_ONCE = 10

/** The deployments of a plugin in a store, newest first, removed ones among them. */
export function Deployments({ plugin }: { plugin: StorePlugin }) {
  const { storeId, pluginId } = plugin
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const pages = useReads(
    'pluginManagement.list',
    cursors.map((after) => ({ storeId, pluginId, state: 'all' as const, limit: AT_ONCE, ...(after && { after }) })),
  )
  // While further ones are read, those that are known stay.
  const known = useRef(pages.data)
  if (pages.data !== undefined) known.current = pages.data
  const shown = known.current
  const next = shown?.at(-1)?.nextCursor
  return (
    <Section title={text('deployments')}>
      {pages.error !== null && <Failure failure={pages.error} retry={() => pages.refetch()} />}
      {shown === undefined && pages.error === null && <Waiting />}
      <ul class="deployments">
        {shown
          ?.flatMap(({ data }) => data)
          .map((deployment) => (
            <Row key={deployment.id} plugin={plugin} deployment={deployment} />
          ))}
      </ul>
      {next != null && (
        <Button isBusy={pages.data === undefined} onClick={() => setCursors([...cursors, next])}>
          {text('older')}
        </Button>
      )}
    </Section>
  )
}

function Waiting() {
  return (
    <ul class="deployments" aria-busy="true">
      {[1, 2, 3].map((each) => (
        <li key={each}>
          <span class="shot desktop none" />
          <Bone />
        </li>
      ))}
    </ul>
  )
}

function Row({ plugin, deployment }: { plugin: StorePlugin; deployment: Deployment }) {
  const { id, version, state, deployedAt, deployedBy } = deployment
  const { data: view } = useRead('pluginManagement.view', { deploymentId: id })
  return (
    <li>
      <Thumbnail view={view} />
      <div class="about">
        <p class="row-head">
          <a href={`/console${pluginPath(plugin, `/deployments/${id}`)}`}>{version}</a>
          <Badge tone={toneOf[state]}>{text(`state.${state}`)}</Badge>
        </p>
        <p class="hint">
          <Time at={deployedAt} /> · {actorName(deployedBy)}
        </p>
        <p class="hint">{[sizeOf(deployment.size), ...wordsOf(view)].join(' · ')}</p>
      </div>
      <Actions plugin={plugin} deployment={deployment} />
    </li>
  )
}

function wordsOf(view: DeploymentView | undefined): readonly string[] {
  if (view === undefined) return []
  return [text('pageCount', { count: pagesOf(view).length }), ...sourceOf(view)]
}

/** Actions on a deployment; those that its state or the member's role does not allow are hidden. */
export function Actions({ plugin, deployment }: { plugin: StorePlugin; deployment: Deployment }) {
  const may = useMay()
  const [open, setOpen] = useState<'activate' | 'remove' | 'restore' | 'takeOffline' | 'bringOnline' | null>(null)
  const { id, version, state, url, offlineSince } = deployment
  const switching = offlineSince === null ? 'takeOffline' : 'bringOnline'
  const { active } = plugin
  const close = () => setOpen(null)
  const isThere = state !== 'removed'
  return (
    <>
      <Menu label={<MenuWords version={version} />}>
        <div class="choices-of" onClick={closeMenu}>
          {isThere && (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {text('open')}
            </a>
          )}
          {active !== null && active.id !== id && (
            <a href={`/console${pluginPath(plugin, `/compare?from=${active.id}&to=${id}`)}`}>{text('compareLive')}</a>
          )}
          {isThere && state !== 'active' && may('pluginManagement.activate') && (
            <button type="button" onClick={() => setOpen('activate')}>
              {text('activate', { version })}
            </button>
          )}
          {isThere && may(`pluginManagement.${switching}`) && (
            <button type="button" onClick={() => setOpen(switching)}>
              {text(switching, { version })}
            </button>
          )}
          {isThere && state !== 'active' && may('pluginManagement.remove') && (
            <button type="button" onClick={() => setOpen('remove')}>
              {text('remove', { version })}
            </button>
          )}
          {!isThere && may('pluginManagement.restore') && (
            <button type="button" onClick={() => setOpen('restore')}>
              {text('restore', { version })}
            </button>
          )}
        </div>
      </Menu>
      {open === 'activate' && <ActivateDialog plugin={plugin} to={deployment} onClose={close} />}
      {open === 'remove' && <RemoveDialog deployment={deployment} onClose={close} />}
      {(open === 'takeOffline' || open === 'bringOnline') && (
        <OfflineDialog deployment={deployment} switching={open} onClose={close} />
      )}
      {open === 'restore' && <RestoreDialog deployment={deployment} onClose={close} />}
    </>
  )
}

/** A choice closes its menu, and what a dialog gives the focus back to is the menu's own button. */
function closeMenu({ currentTarget }: MouseEvent): void {
  const menu = currentTarget instanceof Element ? currentTarget.closest('details') : null
  menu?.querySelector('summary')?.focus()
  menu?.removeAttribute('open')
}

function MenuWords({ version }: { version: string }) {
  return (
    <>
      {text('actions')}
      <span class="hidden-text"> {version}</span>
    </>
  )
}

interface DeploymentProps {
  deployment: Deployment
  onClose: () => void
}

/** Asks before a deployment is taken down. */
function RemoveDialog({ deployment: { id, version }, onClose }: DeploymentProps) {
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

/** Asks before the pages of a deployment are hidden, or shown again. */
function OfflineDialog({
  deployment: { id, version },
  switching,
  onClose,
}: DeploymentProps & { switching: 'takeOffline' | 'bringOnline' }) {
  const change = useChange(
    (deploymentId: string, options) => api.pluginManagement[switching]({ deploymentId }, options),
    affects,
  )
  const title = text(switching, { version })
  const run = async () => {
    if (await change.run(id)) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text(`${switching}.effect`)}</p>
      <Decision
        change={change}
        label={title}
        {...(switching === 'bringOnline' && { kind: 'main' as const })}
        onClose={onClose}
        run={run}
      />
    </Dialog>
  )
}

/** Brings a removed deployment back, as long as its files are there. */
function RestoreDialog({ deployment: { id, version, restorableUntil }, onClose }: DeploymentProps) {
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
