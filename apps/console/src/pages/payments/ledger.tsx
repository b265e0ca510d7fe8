import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead } from '../../api/query.ts'
import { Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { money } from '../../language/values.ts'
import { text } from './text.ts'

type PaymentLedger = ResponseOf<Contract['payments']['getLedger']>

/** The double entries of a payment's money. */
export function Ledger({ paymentId }: { paymentId: string }) {
  const read = useRead('payments.getLedger', { paymentId })
  return (
    <Section title={text('ledger')}>
      <Loaded read={read}>
        {(ledger) =>
          ledger.lines.length === 0 ? <p class="hint">{text('ledger.none')}</p> : <Lines ledger={ledger} />
        }
      </Loaded>
    </Section>
  )
}

function Lines({ ledger: { lines, currency, sum } }: { ledger: PaymentLedger }) {
  const side = (amount: number) => (amount > 0 ? money(amount, currency) : '')
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={text('ledger')}>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col" class="when">
              {text('ledger.when')}
            </th>
            <th scope="col">{text('ledger.booking')}</th>
            <th scope="col">{text('ledger.account')}</th>
            <th scope="col" class="number">
              {text('ledger.debit')}
            </th>
            <th scope="col" class="number">
              {text('ledger.credit')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ entryId, booking, account, amount, createdAt }) => (
            <tr key={`${entryId} ${booking} ${account}`} title={entryId}>
              <td class="when">
                <Time at={createdAt} />
              </td>
              <td>{text(`booking.${booking}`)}</td>
              <td>{text(`account.${account}`)}</td>
              <td class="number">{side(amount)}</td>
              <td class="number">{side(-amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class={sum === 0 ? 'hint' : 'remark'}>
        {text('ledger.sum', { amount: money(sum, currency) })} {sum !== 0 && text('ledger.unbalanced')}
      </p>
    </div>
  )
}
