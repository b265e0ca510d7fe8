import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Button, Dialog, Input, Badge, Copy, type Tone } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Decision } from '../../forms/decision.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { Target, TargetSelect } from './aliases.tsx'
import { Outside } from './outside.tsx'
import { text } from './text.ts'
import { affects, type Route, routeUrl, type StorePlugin } from './words.ts'
import type { Contract, ResponseOf } from '@tillwright/contract'
import { type Read, useRead } from '../../api/query.ts'
import { Failure } from '../../design/states.tsx'

/** Where a plugin is shown on the merchant's own domains. */
export function Domains({ plugin }: { plugin: StorePlugin }) {
  const may = useMay()
  const { routes, newest } = plugin
  const [open, setOpen] = useState<{ dialog: 'check' | 'remove'; route: Route } | 'new' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section
      title={text('domains')}
      actions={
        may('plugins.promoteToCustomDomain') && <Button onClick={() => setOpen('new')}>{text('addDomain')}</Button>
      }
    >
      {routes.length === 0 && <p class="hint">{text('noDomains')}</p>}
      <ul class="places">
        {routes.map((route) => (
          <li key={route.id}>
            <Outside to={routeUrl(route, newest)} />
            <span class="hint">
              <Target plugin={plugin} {...route} />
            </span>
            <span class="ends">
              <Button kind="plain" onClick={() => setOpen({ dialog: 'check', route })}>
                {text('checkDns')}
                <span class="hidden-text"> {route.hostname}</span>
              </Button>
              {may('pluginManagement.removeDomain') && (
                <Button kind="plain" icon="close" onClick={() => setOpen({ dialog: 'remove', route })}>
                  <span class="hidden-text">{text('removePlace', { place: route.hostname + route.path })}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {open === 'new' && <NewDomain plugin={plugin} onClose={close} />}
      {open !== null && open !== 'new' && open.dialog === 'check' && <CheckDialog route={open.route} onClose={close} />}
      {open !== null && open !== 'new' && open.dialog === 'remove' && (
        <RemoveDomain route={open.route} onClose={close} />
      )}
    </Section>
  )
}

function CheckDialog({ route: { hostname, storeId }, onClose }: { route: Route; onClose: () => void }) {
  const check = useDomainCheck({ hostname, storeId })
  return (
    <Dialog title={text('dnsOf', { hostname })} onClose={onClose}>
      <DomainRecords check={check} />
      <div class="actions">
        <Button kind="main" onClick={onClose}>
          {shared('close')}
        </Button>
      </div>
    </Dialog>
  )
}

/** The records are shown before the domain is taken: without the proof, the platform would refuse it. */
function NewDomain({ plugin, onClose }: { plugin: StorePlugin; onClose: () => void }) {
  const { storeId, pluginId } = plugin
  const [hostname, setHostname] = useState('')
  const [path, setPath] = useState('/')
  const [deploymentId, setDeployment] = useState('')
  const [checked, setChecked] = useState<string | null>(null)
  const check = useDomainCheck(checked === null ? null : { storeId, hostname: checked })
  const change = useChange(
    (input: Parameters<typeof api.plugins.promoteToCustomDomain>[0], options) =>
      api.plugins.promoteToCustomDomain(input, options),
    affects,
  )
  const run = async () => {
    const target =
      deploymentId === ''
        ? { pluginId, storeId, hostname, path }
        : { deploymentId, customDomain: hostname, basePath: path }
    if (await change.run(target)) onClose()
  }
  const isReady = checked === hostname && check?.data?.ready === true
  return (
    <Dialog title={text('addDomain')} onClose={onClose}>
      <Input
        label={text('domain')}
        hint={text('domainHint')}
        maxLength={253}
        required
        value={hostname}
        onValue={(typed) => setHostname(typed.trim())}
      />
      <Input label={text('path')} hint={text('pathHint')} maxLength={255} value={path} onValue={setPath} />
      <TargetSelect plugin={plugin} value={deploymentId} onValue={setDeployment} />
      {checked === hostname && check !== null && <DomainRecords check={check} />}
      {!isReady && (
        <Button disabled={!hostname.includes('.')} onClick={() => setChecked(hostname)}>
          {text('checkDns')}
        </Button>
      )}
      <Decision change={change} label={text('addDomain')} kind="main" disabled={!isReady} onClose={onClose} run={run} />
    </Dialog>
  )
}

function RemoveDomain({ route: { storeId, hostname, path }, onClose }: { route: Route; onClose: () => void }) {
  const change = useChange(
    (input: Parameters<typeof api.pluginManagement.removeDomain>[0], options) =>
      api.pluginManagement.removeDomain(input, options),
    affects,
  )
  const title = text('removePlace', { place: hostname + path })
  const run = async () => {
    if (await change.run({ storeId, hostname, path })) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('removeDomain.effect')}</p>
      <Decision change={change} label={title} onClose={onClose} run={run} />
    </Dialog>
  )
}

type DomainCheck = ResponseOf<Contract['pluginManagement']['checkDomain']>
type DomainRecord = DomainCheck['records'][number]

/** Asks name servers about a host name; `null` as long as there is none to ask about. */
function useDomainCheck(place: { storeId: string; hostname: string } | null): Read<DomainCheck> | null {
  const read = useRead('pluginManagement.checkDomain', place)
  return place === null ? null : read
}

const tones: Readonly<Record<DomainRecord['status'], Tone>> = {
  found: 'good',
  missing: 'wait',
  different: 'wait',
  unknown: 'wait',
  not_needed: 'calm',
}

/** The records that a domain needs, what was found, and what to do. */
function DomainRecords({ check }: { check: Read<DomainCheck> | null }) {
  if (check === null) return null
  if (check.error !== null) return <Failure failure={check.error} retry={() => check.refetch()} />
  const { data } = check
  return (
    <div class="records" aria-busy={data === undefined || check.isFetching}>
      {data !== undefined && <Answer check={data} />}
      <Button isBusy={check.isFetching} onClick={() => void check.refetch()}>
        {text(check.isFetching ? 'checking' : 'checkAgain')}
      </Button>
    </div>
  )
}

function Answer({ check: { owner, ready, records } }: { check: DomainCheck }) {
  if (owner === 'another') return <p class="remark">{text('ownedByAnother')}</p>
  return (
    <>
      {records.map((record) => (
        <RecordWords key={record.purpose} record={record} />
      ))}
      <p class={ready ? 'hint' : 'remark'} role="status">
        {text(ready ? 'domainReady' : 'domainNotReady')}
      </p>
    </>
  )
}

function RecordWords({ record: { purpose, type, name, value, found, status } }: { record: DomainRecord }) {
  return (
    <section>
      <p class="row-head">
        <strong>{text(`record.${purpose}`)}</strong>
        <Badge tone={tones[status]}>{text(`record.${status}`)}</Badge>
      </p>
      <dl class="record">
        <dt>{text('recordType')}</dt>
        <dd>{type}</dd>
        <dt>{text('recordName')}</dt>
        <dd>
          <Copy value={name} />
        </dd>
        <dt>{text('recordValue')}</dt>
        <dd>
          <Copy value={value} />
        </dd>
        {found.length > 0 && (
          <>
            <dt>{text('recordFound')}</dt>
            <dd>{found.join(', ')}</dd>
          </>
        )}
      </dl>
      {status !== 'found' && <p class="hint">{text(`todo.${purpose}.${status}`)}</p>}
    </section>
  )
}
