import type { WantedLine } from '@tillwright/plugin-sdk'
import { useMoney, useOrder, useSession } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useSettings } from '../look/use-settings.ts'
import { linesOfProducts, type Product } from '../order/lines.ts'
import { readCart } from '../order/read-cart.ts'
import { useWords } from '../texts/use-words.tsx'
import { PromotionCode } from './promotion-code.tsx'
import { SummaryLine, WaitingLine } from './summary-line.tsx'
import { TotalsTable } from './totals-table.tsx'

/** The order summary. On a phone it can be collapsed to the total. */
export function Summary(): JSX.Element {
  const { promotionCodes } = useSettings()
  const { isBusy } = useSession()
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  const order = useOrder()
  const isOpenOrder = order === null || order.status === 'open'
  return (
    <section class="summary" data-open={isOpen} aria-labelledby="summary-heading">
      <h2 id="summary-heading">{say('summary')}</h2>
      <button
        type="button"
        class="summary-toggle"
        aria-expanded={isOpen}
        aria-controls="summary-body"
        onClick={() => setOpen(!isOpen)}
      >
        <span>{say(isOpen ? 'hideSummary' : 'showSummary')}</span>
        <FoldedTotal />
      </button>
      <div id="summary-body" class="summary-body" aria-busy={isBusy}>
        <Lines />
        {promotionCodes && isOpenOrder && <PromotionCode />}
        <TotalsTable />
      </div>
    </section>
  )
}

function FoldedTotal(): JSX.Element {
  const order = useOrder()
  const money = useMoney()
  return <strong>{order === null || order.lines.length === 0 ? '…' : money(order.amount, order.currency)}</strong>
}

/** Until the order is there, its lines have their places. */
function Lines(): JSX.Element {
  const order = useOrder()
  const { products, quantityChoice } = useSettings()
  const [awaited] = useState(() => awaitedLines(products))
  const isWaiting = order === null || (order.lines.length === 0 && order.status === 'open')
  if (isWaiting) {
    return (
      <ul class="lines">
        {order === null && awaited.length === 0 && <WaitingLine product={undefined} />}
        {awaited.map(({ variantId }) => (
          <WaitingLine key={variantId} product={products.find((product) => product.variantId === variantId)} />
        ))}
      </ul>
    )
  }
  const { lines } = order
  return (
    <ul class="lines">
      {lines.map((line) => (
        <SummaryLine
          key={`${line.variantId} ${line.priceId} ${line.promotionId ?? ''}`}
          line={line}
          currency={order.currency}
          change={order.status !== 'open' || !quantityChoice ? 'none' : lines.length > 1 ? 'any' : 'kept'}
        />
      ))}
    </ul>
  )
}

/** The cart's lines, shown until the order is there. */
function awaitedLines(products: readonly Product[]): WantedLine[] {
  return readCart(location.search) ?? linesOfProducts(products)
}
