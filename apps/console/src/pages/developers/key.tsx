import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Dialog, Time } from '../../design/controls.tsx'
import { OnceDialog } from '../../design/once.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Decision } from '../../forms/decision.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { useAsked } from '../../shell/asked.ts'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { hoursFromNow, Overlap } from './fields.tsx'
import { KeyState } from './keys.tsx'
import { text } from './text.ts'

type ApiKey = ResponseOf<Contract['apiKeys']['get']>

/** One API key: what it may do, when it was used, and rolling and revoking it. */
export function Key() {
  const { id = '' } = useRoute().params
  const read = useRead('apiKeys.get', { keyId: id })
  return <LoadedPage read={read}>{(key) => <KeyPage key={id} of={key} />}</LoadedPage>
}

function KeyPage({ of: key }: { of: ApiKey }) {
  const may = useMay()
  const isGood = key.state === 'good'
  const isRollable = isGood && key.replacedBy === null && may('apiKeys.roll')
  const [open, setOpen] = useAsked<'roll' | 'revoke'>({ roll: isRollable })
  const close = () => setOpen(null)
  return (
    <Page
      title={key.name ?? key.shown}
      note={
        <>
          <KeyState of={key} /> <Copy value={key.id} />
        </>
      }
      actions={
        <>
          {isGood && may('apiKeys.revoke') && <Button onClick={() => setOpen('revoke')}>{text('revoke')}</Button>}
          {isRollable && (
            <Button kind="main" onClick={() => setOpen('roll')}>
              {text('roll')}
            </Button>
          )}
        </>
      }
    >
      <div class="stack">
        <Section title={text('details')}>
          <Facts of={factsOf(key)} />
        </Section>
        <ApiCall operation="apiKeys.get" input={{ keyId: key.id }} />
      </div>
      {open === 'roll' && <RollDialog of={key} onClose={close} />}
      {open === 'revoke' && <RevokeDialog of={key} onClose={close} />}
    </Page>
  )
}

function factsOf(key: ApiKey) {
  const time = (at: string | null) => at && <Time at={at} />
  const granted = [...key.roles, ...key.scopes]
  return [
    [text('key'), <code>{key.shown}</code>],
    [text('kind'), text(`kind.${key.kind}`)],
    [text('rights'), granted.length === 0 ? text('allRights') : <code>{granted.join(', ')}</code>],
    [text('store'), key.storeId && <a href={`/console/stores/${key.storeId}`}>{key.storeId}</a>],
    [text('origins'), key.allowedOrigins.length === 0 ? null : key.allowedOrigins.join(', ')],
    [text('lastUsed'), key.lastUsedAt === null ? text('never') : time(key.lastUsedAt)],
    [text('created'), time(key.createdAt)],
    [text('createdBy'), key.createdBy && <a href={pageOf(key.createdBy)}>{key.createdBy}</a>],
    [text('expires'), time(key.expiresAt)],
    [text('revoked'), time(key.revokedAt)],
    [text('replacedBy'), key.replacedBy && <a href={`/console/keys/${key.replacedBy}`}>{key.replacedBy}</a>],
  ] as const
}

/** The page of a member or a key. */
function pageOf(id: string): string {
  return `/console/${id.startsWith('key_') ? 'keys' : 'members'}/${id}`
}

interface DialogProps {
  of: ApiKey
  onClose: () => void
}

function RollDialog({ of: { id: keyId }, onClose }: DialogProps) {
  const [hours, setHours] = useState(24)
  const [made, setMade] = useState('')
  const change = useChange(
    async (overlapHours: number, options) => {
      const { key } = await api.apiKeys.roll({ keyId, overlapHours }, options)
      setMade(key)
    },
    ['apiKeys.'],
  )
  if (made !== '') return <OnceDialog title={text('roll')} hint={text('keyOnce')} value={made} onClose={onClose} />
  return (
    <Dialog title={text('roll')} onClose={onClose}>
      <Overlap hours={hours} onHours={setHours} />
      <p>{hours === 0 ? text('rollAtOnce') : text('rollEffect', { until: hoursFromNow(hours) })}</p>
      <Decision change={change} label={text('roll')} kind="main" onClose={onClose} run={() => change.run(hours)} />
    </Dialog>
  )
}

function RevokeDialog({ of: { id: keyId, name, shown }, onClose }: DialogProps) {
  const change = useChange(
    async (_: null, options) => {
      await api.apiKeys.revoke({ keyId }, options)
      onClose()
    },
    ['apiKeys.'],
  )
  return (
    <Dialog title={text('revoke')} onClose={onClose}>
      <p>{text('revokeEffect', { name: name === null ? shown : `${name} (${shown})` })}</p>
      <Decision change={change} label={text('revoke')} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
