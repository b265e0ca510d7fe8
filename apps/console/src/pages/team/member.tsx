import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Dialog, Input, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Decision } from '../../forms/decision.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { type Member as Person, type Rights, RightsFields, storesOf } from './members.tsx'
import { text } from './text.ts'

/** One member: rights, sessions, and what the member has changed. */
export function Member() {
  const { id = '' } = useRoute().params
  const read = useRead('members.get', { memberId: id })
  return <LoadedPage read={read}>{(member) => <MemberPage member={member} />}</LoadedPage>
}

function MemberPage({ member }: { member: Person }) {
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const isPresent = member.status !== 'removed'
  return (
    <Page
      title={member.email}
      note={
        <>
          <Status of={member.status} /> <Copy value={member.id} />
        </>
      }
      actions={
        isPresent && (
          <>
            {may('members.remove') && <Button onClick={() => setOpen('remove')}>{text('remove')}</Button>}
            {may('members.update') && (
              <Button kind="main" onClick={() => setOpen('edit')}>
                {text('edit')}
              </Button>
            )}
          </>
        )
      }
    >
      <div class="stack">
        <Section title={text('details')}>
          <Facts of={factsOf(member)} />
        </Section>
        {may('members.listSessions') && <Sessions memberId={member.id} />}
        {may('audit.list') && (
          <a class="button" href={`/console/audit?actorId=${member.id}`}>
            {text('whatChanged')}
          </a>
        )}
        {may('apiKeys.list') && (
          <a class="button" href={`/console/keys?createdBy=${member.id}`}>
            {text('keysMade')}
          </a>
        )}
        <ApiCall operation="members.get" input={{ memberId: member.id }} />
      </div>
      {open === 'edit' && <EditDialog member={member} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog member={member} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function factsOf(member: Person) {
  const { name, role, storeIds, invitationExpiresAt, createdAt } = member
  return [
    [text('name'), name],
    [text('role'), shared(`role.${role}`)],
    [text('stores'), storeIds === null ? storesOf(member) : <code>{storeIds.join(', ')}</code>],
    [text('linkUntil'), invitationExpiresAt && <Time at={invitationExpiresAt} />],
    [text('invited'), <Time at={createdAt} />],
  ] as const
}

function Sessions({ memberId }: { memberId: string }) {
  const may = useMay()
  const read = useRead('members.listSessions', { memberId })
  const change = useChange((_: null, options) => api.members.endSessions({ memberId }, options), ['members.', 'me.'])
  const hasSessions = (read.data?.data.length ?? 0) > 0
  return (
    <Section
      title={text('sessions')}
      actions={
        hasSessions &&
        may('members.endSessions') && (
          <Button isBusy={change.isRunning} onClick={() => void change.run(null)}>
            {text('endSessions')}
          </Button>
        )
      }
    >
      <Loaded read={read}>
        {({ data }) => (
          <ul class="lines">
            {data.length === 0 && <li>{text('noSessions')}</li>}
            {data.map(({ id, address, userAgent, createdAt }) => (
              <li key={id}>
                <Time at={createdAt} /> · {address} · {userAgent ?? ''}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

interface DialogProps {
  member: Person
  onClose: () => void
}

function EditDialog({ member, onClose }: DialogProps) {
  const [name, setName] = useState(member.name ?? '')
  const [before] = useState<Rights>({ role: member.role, storeIds: member.storeIds ?? [] })
  const [rights, setRights] = useState(before)
  const change = useChange(
    async (sent: Rights & { name: string }, options) => {
      const isLimited = sent.role !== 'owner' && sent.storeIds.length > 0
      const named = sent.name.trim() === '' ? {} : { name: sent.name.trim() }
      // Rights that were left alone are not sent: another owner may have changed them since the dialog was opened.
      const storeIds = isLimited ? [...sent.storeIds] : null
      const body = { ...named, ...(isSame(sent, before) ? {} : { role: sent.role, storeIds }) }
      await api.members.update({ memberId: member.id, ...body }, options)
      onClose()
    },
    ['members.', 'me.'],
  )
  return (
    <Dialog title={text('edit')} onClose={onClose}>
      <Input label={text('name')} maxLength={100} value={name} onValue={setName} />
      <RightsFields rights={rights} onRights={setRights} />
      <p>{text('editEffect')}</p>
      <Decision
        kind="main"
        change={change}
        label={shared('save')}
        onClose={onClose}
        run={() => change.run({ ...rights, name })}
      />
    </Dialog>
  )
}

function isSame(one: Rights, other: Rights): boolean {
  return one.role === other.role && one.storeIds.toSorted().join() === other.storeIds.toSorted().join()
}

function RemoveDialog({ member: { id: memberId, email }, onClose }: DialogProps) {
  const change = useChange(
    async (_: null, options) => {
      await api.members.remove({ memberId }, options)
      onClose()
    },
    ['members.'],
  )
  return (
    <Dialog title={text('remove')} onClose={onClose}>
      <p>{text('removeEffect', { email })}</p>
      <Decision change={change} label={text('remove')} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
