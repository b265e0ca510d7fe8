import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { changed, useRead } from '../../api/query.ts'
import { Button, Copy, Dialog, Input, Select } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { count } from '../../language/values.ts'
import { Conflict } from '../../objects/conflict.tsx'
import { Decision } from '../../objects/decision.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { RefundLimits } from './refund-limits.tsx'
import { text } from './text.ts'
import './team.css'

type OwnAccount = ResponseOf<Contract['accounts']['get']>

/** The account: its settings, limits and their use, and requests of privacy. */
export function Account() {
  const may = useMay()
  const read = useRead('accounts.get', {})
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={shared('page.account')}
      actions={
        may('accounts.update') && (
          <Button kind="main" onClick={() => setEditing(true)}>
            {text('edit')}
          </Button>
        )
      }
    >
      <Loaded read={read}>
        {(account) => (
          <div class="stack">
            <Section title={text('details')}>
              <Facts of={factsOf(account)} />
            </Section>
            <Limits of={account} />
            {may('refundLimits.get') && <RefundLimits />}
            {may('erasures.list') && (
              <Section title={text('privacy')}>
                <p>{text('privacyHint')}</p>
                <div class="actions">
                  <a class="button" href="/console/erasures">
                    {text('erasures')}
                  </a>
                </div>
              </Section>
            )}
            <ApiCall operation="accounts.get" input={{}} />
            {isEditing && <EditDialog account={account} onClose={() => setEditing(false)} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function factsOf({ id, name, environment, plan, threedsProvider }: OwnAccount) {
  return [
    [text('name'), name],
    [text('account'), <Copy value={id} />],
    [text('environment'), environment],
    [text('plan'), plan],
    [text('threeds'), <code>{threedsProvider}</code>],
  ] as const
}

function Limits({ of: { limits } }: { of: OwnAccount }) {
  const { processors, webhookEndpoints } = limits
  return (
    <Section title={text('limits')}>
      <dl class="facts usage">
        <dt>{text('requests')}</dt>
        <dd>{text('perMinute', { count: limits.requestsPerMinute, burst: limits.burst })}</dd>
        <Usage label={shared('page.processors')} of={processors} />
        <Usage label={shared('page.webhooks')} of={webhookEndpoints} />
      </dl>
    </Section>
  )
}

function Usage({ label, of: { used, max } }: { label: string; of: { used: number; max: number } }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {text('usedOf', { used: count(used), max: count(max) })}
        <meter max={max} value={used} high={max * 0.9} aria-label={label} />
      </dd>
    </>
  )
}

interface Settings {
  name: string
  threedsProvider: OwnAccount['threedsProvider']
}

function EditDialog({ account, onClose }: { account: OwnAccount; onClose: () => void }) {
  const [form, setForm] = useState<Settings>({ name: account.name, threedsProvider: account.threedsProvider })
  const [revision] = useState(account.revision)
  const change = useChange(
    async (sent: Settings & { revision: number }, options) => {
      await api.accounts.update(sent, options)
      onClose()
    },
    ['accounts.', 'me.', 'threedsProviders.'],
  )
  const { failure } = change
  if (failure?.code === 'revision_conflict') {
    const theirs = failure.current as OwnAccount // of a conflict it is the object as it is now
    const fields = [
      { label: text('name'), mine: form.name, theirs: theirs.name },
      { label: text('threeds'), mine: form.threedsProvider, theirs: theirs.threedsProvider },
    ]
    return (
      <Dialog title={text('edit')} onClose={onClose}>
        <Conflict
          fields={fields.filter((field) => field.mine !== field.theirs)}
          isBusy={change.isRunning}
          onKeep={() => void change.run({ ...form, revision: theirs.revision })}
          onTake={() => {
            void changed('accounts.', 'me.')
            onClose()
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={text('edit')} onClose={onClose}>
      <Input
        label={text('name')}
        required
        maxLength={100}
        value={form.name}
        onValue={(name) => setForm({ ...form, name })}
      />
      <Provider value={form.threedsProvider} onValue={(threedsProvider) => setForm({ ...form, threedsProvider })} />
      <Decision
        kind="main"
        change={change}
        label={shared('save')}
        disabled={form.name.trim() === ''}
        onClose={onClose}
        run={() => change.run({ ...form, revision })}
      />
    </Dialog>
  )
}

/** One that is not configured here cannot be chosen. */
function Provider(props: { value: Settings['threedsProvider']; onValue: (to: Settings['threedsProvider']) => void }) {
  const { value, onValue } = props
  const { data } = useRead('threedsProviders.list', useMay()('threedsProviders.list') ? {} : null)
  const usable = (data?.data ?? []).filter((each) => each.configured || each.provider === value)
  const known = usable.length === 0 ? [value] : usable.map(({ provider }) => provider)
  return (
    <Select
      label={text('threeds')}
      hint={text('threedsHint')}
      value={value}
      onValue={(to) => onValue(known.find((each) => each === to) ?? value)}
      options={known.map((each) => ({ value: each, name: each }))}
    />
  )
}
