import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Dialog, Input } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { decimal, minorUnits, money } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

interface Limit {
  currency: string
  /** In minor units. */
  amount: number
}

/** Above which sums a refund waits for a second person. */
export function RefundLimits() {
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
