import './team.css'
import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Input, Select, Dialog, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { type Revision, SaveDialog } from '../../forms/save.tsx'
import { bytes } from '../../language/measures.ts'
import { count, decimal, minorUnits, money } from '../../language/values.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'
import { Decision } from '../../forms/decision.tsx'

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

function factsOf({ id, name, environment, plan, threedsProvider, pagesOffSince }: OwnAccount) {
  return [
    [text('name'), name],
    [text('account'), <Copy value={id} />],
    [text('environment'), environment],
    [text('plan'), plan],
    [text('threeds'), <code>{threedsProvider}</code>],
    [text('pagesOff'), pagesOffSince && <Time at={pagesOffSince} />],
  ] as const
}

function Limits({ of: { limits } }: { of: OwnAccount }) {
  const { processors, webhookEndpoints, deployments, pluginFiles, pluginBytes } = limits
  return (
    <Section title={text('limits')}>
      <dl class="facts usage">
        <dt>{text('requests')}</dt>
        <dd>{text('perMinute', { count: limits.requestsPerMinute, burst: limits.burst })}</dd>
        <Usage label={shared('page.processors')} of={processors} />
        <Usage label={shared('page.webhooks')} of={webhookEndpoints} />
        <Usage label={text('deployments')} of={deployments} />
        <Usage label={text('pluginFiles')} of={pluginFiles} />
        <Usage label={text('pluginBytes')} of={pluginBytes} show={bytes} />
      </dl>
    </Section>
  )
}

interface Used {
  label: string
  of: { used: number; max: number }
  show?: (amount: number) => string
}

function Usage({ label, of: { used, max }, show = count }: Used) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {text('usedOf', { used: show(used), max: show(max) })}
        <meter max={max} value={used} high={max * 0.9} aria-label={label} />
      </dd>
    </>
  )
}

function EditDialog({ account, onClose }: { account: OwnAccount; onClose: () => void }) {
  const [base] = useState(account)
  const [form, setForm] = useState(() => settingsOf(account))
  const change = useChange(
    ({ revision }: Revision<OwnAccount>, options) => api.accounts.update({ ...form, revision }, options),
    ['accounts.', 'me.', 'threedsProviders.'],
  )
  return (
    <SaveDialog
      change={change}
      base={base}
      mine={{ ...base, ...form }}
      describe={({ name, threedsProvider }) => [
        [text('name'), name],
        [text('threeds'), threedsProvider],
      ]}
      disabled={form.name.trim() === ''}
      onClose={onClose}
    >
      <Input
        label={text('name')}
        required
        maxLength={100}
        value={form.name}
        onValue={(name) => setForm({ ...form, name })}
      />
      <Provider value={form.threedsProvider} onValue={(threedsProvider) => setForm({ ...form, threedsProvider })} />
    </SaveDialog>
  )
}

type Settings = Pick<OwnAccount, 'name' | 'threedsProvider'>

function settingsOf({ name, threedsProvider }: OwnAccount): Settings {
  return { name, threedsProvider }
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

interface Limit {
  currency: string
  /** In minor units. */
  amount: number
}

/** Above which sums a refund waits for a second person. */
function RefundLimits() {
  const maySet = useMay()('refundLimits.set')
  const read = useRead('refundLimits.get', {})
  const [edited, setEdited] = useState<Limit | 'new' | null>(null)
  return (
    <Section
      title={text('refundLimits')}
      actions={maySet && <Button onClick={() => setEdited('new')}>{text('setLimit')}</Button>}
    >
      <p>{text('refundLimitsHint')}</p>
      <Loaded read={read}>
        {({ data }) => (
          <ul class="lines">
            {data.length === 0 && <li>{text('noLimits')}</li>}
            {data.map((limit) => (
              <li key={limit.currency} class="between">
                <span>
                  {text('limitOf', { amount: money(limit.amount, limit.currency), currency: limit.currency })}
                </span>
                {maySet && <Button onClick={() => setEdited(limit)}>{text('edit')}</Button>}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {edited !== null && <LimitDialog limit={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Section>
  )
}

function LimitDialog({ limit, onClose }: { limit: Limit | null; onClose: () => void }) {
  const [currency, setCurrency] = useState(limit?.currency ?? 'USD')
  const [typed, setTyped] = useState(limit === null ? '' : decimal(limit.amount, limit.currency))
  const isCurrency = /^[A-Z]{3}$/.test(currency)
  const amount = isCurrency ? minorUnits(typed, currency) : null
  const change = useChange(
    async (sent: { currency: string; amount: number | null }, options) => {
      await api.refundLimits.set(sent, options)
      onClose()
    },
    ['refundLimits.'],
  )
  return (
    <Dialog title={text('setLimit')} onClose={onClose}>
      {limit === null && (
        <Input
          label={text('currency')}
          hint={text('currencyHint')}
          maxLength={3}
          value={currency}
          onValue={(value) => setCurrency(value.toUpperCase())}
        />
      )}
      <Input label={text('most')} hint={text('mostHint')} inputMode="decimal" value={typed} onValue={setTyped} />
      {limit !== null && (
        <Button isBusy={change.isRunning} onClick={() => void change.run({ currency, amount: null })}>
          {text('removeLimit')}
        </Button>
      )}
      <Decision
        kind="main"
        change={change}
        label={shared('save')}
        disabled={amount === null || amount === 0}
        onClose={onClose}
        run={() => change.run({ currency, amount })}
      />
    </Dialog>
  )
}
