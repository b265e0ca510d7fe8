import { useMoney } from '@tillwright/plugin-sdk/preact'
import type { SessionOrder } from '@tillwright/plugin-sdk'

import type { JSX } from 'preact'
import { totalsOf } from '../order/totals.ts'
import { SummaryLine } from '../summary/summary-line.tsx'
import { TotalsList } from '../summary/totals-table.tsx'
import { useWords } from '../texts/use-words.tsx'

/** An order that was paid. */
export function Receipt({ order }: { order: SessionOrder }): JSX.Element {
  const say = useWords()
  const money = useMoney()
  return (
    <section class="summary receipt" data-open="true" aria-label={say('receipt')}>
      <h2>{say('receipt')}</h2>
      <div class="summary-body">
        <ul class="lines">
          {order.lines.map((line) => (
            <SummaryLine
              key={`${line.variantId} ${line.priceId} ${line.promotionId ?? ''}`}
              line={line}
              currency={order.currency}
              change="none"
            />
          ))}
        </ul>
        <TotalsList
          totals={totalsOf(order)}
          show={(amount) => money(amount, order.currency)}
          totalLabel={say('paid')}
          currency={order.currency}
        />
      </div>
    </section>
  )
}
