import { useMoney } from '@tillwright/plugin-sdk/preact'
import type { SessionOrder } from '@tillwright/plugin-sdk'

import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { partLines } from '../order/lines.ts'
import { totalsOf } from '../order/totals.ts'
import { SummaryLine } from '../summary/summary-line.tsx'
import { TotalsList } from '../summary/totals-table.tsx'
import { useWords } from '../texts/use-words.tsx'

/** An order that was paid. */
export function Receipt({ order }: { order: SessionOrder }): JSX.Element {
  const { shipping } = useSettings()
  const say = useWords()
  const money = useMoney()
  const { goods } = partLines(order, shipping)
  return (
    <section class="summary receipt" data-open="true" aria-label={say('receipt')}>
      <h2>{say('receipt')}</h2>
      <div class="summary-body">
        <ul class="lines">
          {goods.map((line) => (
            <SummaryLine
              key={`${line.variantId} ${line.priceId} ${line.promotionId ?? ''}`}
              line={line}
              currency={order.currency}
              change="none"
            />
          ))}
        </ul>
        <TotalsList
          totals={totalsOf(order, shipping)}
          show={(amount) => money(amount, order.currency)}
          totalLabel={say('paid')}
          currency={order.currency}
        />
      </div>
    </section>
  )
}
