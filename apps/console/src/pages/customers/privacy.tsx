import type { Contract, ResponseOf } from '@tillwright/contract'
import { useEffect, useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, request } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Dialog, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Bone, Failure } from '../../design/states.tsx'
import { count } from '../../language/values.ts'
import { download } from '../../lists/export-csv.tsx'
import { Decision } from '../../forms/decision.tsx'
import { whatRemains, whyKept } from '../../privacy/receipt.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'

type Erasure = ResponseOf<Contract['customers']['erase']>

/** Rights of the customer as a data subject: an export of all personal data, and its erasure. */
export function Privacy({ customerId }: { customerId: string }) {
  const may = useMay()
  const [isErasing, setErasing] = useState(false)
  const { data } = useRead('erasures.list', may('erasures.list') ? { customerId, limit: 1 } : null)
  const erasure = data?.data[0]
  if (!may('customers.export') && !may('customers.erase')) return null
  return (
    <Section title={text('privacy')}>
      <div class="stack">
        {erasure === undefined ? (
          <p class="hint">{text('privacyHint')}</p>
        ) : (
          <p>
            {text('erasure')} <Status of={erasure.status} /> <Time at={erasure.createdAt} />
          </p>
        )}
        {erasure?.receipt != null && <Receipt of={erasure} />}
        <div class="line">
          {may('customers.export') && <ExportButton customerId={customerId} />}
          {may('customers.erase') && erasure === undefined && (
            <Button onClick={() => setErasing(true)}>{text('erase')}</Button>
          )}
        </div>
      </div>
      {isErasing && <EraseDialog customerId={customerId} onClose={() => setErasing(false)} />}
    </Section>
  )
}

/** Downloads everything that is known of the customer, as one file. */
function ExportButton({ customerId }: { customerId: string }) {
  const change = useChange(async (_: null) => {
    const answer = await request('customers.export', { customerId }, { accept: 'application/json' })
    download(await answer.blob(), `${customerId}.json`)
  }, [])
  return (
    <>
      <Button icon="download" isBusy={change.isRunning} onClick={() => void change.run(null)}>
        {text('export')}
      </Button>
      {change.failure !== null && <Failure failure={change.failure} />}
    </>
  )
}

/** Shows what an erasure would remove and keep, and then makes it. */
function EraseDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const [plan, setPlan] = useState<Erasure | null>(null)
  const rehearsal = useChange(async (_: null, options) => {
    setPlan(await api.customers.erase({ customerId, dryRun: true }, options))
  }, [])
  useEffect(() => void rehearsal.run(null), [])
  const change = useChange(
    async (_: null, options) => {
      await api.customers.erase({ customerId, dryRun: false }, options)
      onClose()
    },
    ['customers.', 'erasures.', 'orders.', 'payments.', 'paymentInstruments.', 'subscriptions.'],
  )
  return (
    <Dialog title={text('erase')} onClose={onClose}>
      <p>{text('eraseEffect')}</p>
      <div class="plan" aria-busy={plan === null}>
        {plan === null ? rehearsal.failure === null && <Bone /> : <Receipt of={plan} />}
      </div>
      {plan?.isWhole === false && <p class="hint">{text('eraseMore')}</p>}
      <Decision
        change={rehearsal.failure === null ? change : rehearsal}
        label={text('eraseForGood')}
        disabled={plan === null}
        onClose={onClose}
        run={() => change.run(null)}
      />
    </Dialog>
  )
}

/** Receipt of an erasure: the data that was erased and the data that was kept, by kind. */
function Receipt({ of: { receipt, remains } }: { of: Pick<Erasure, 'receipt' | 'remains'> }) {
  const rows = (receipt ?? []).filter(({ found }) => found > 0)
  return (
    <details class="receipt" open>
      <summary>{text('receipt')}</summary>
      <ul>
        {rows.map(({ data, found, erased, fields, kept }) => (
          <li key={data}>
            <code>{data}</code> {text('erasedOf', { erased: count(erased), found: count(found) })}
            {fields.length > 0 && <p class="hint">{fields.join(', ')}</p>}
            {kept.map((each) => (
              <p key={each.code} class="hint">
                {text('kept', { fields: each.fields.join(', ') })} {whyKept(each)}
              </p>
            ))}
          </li>
        ))}
        {remains.map((each) => (
          <li key={each.code} class="hint">
            {whatRemains(each)}
          </li>
        ))}
      </ul>
    </details>
  )
}
