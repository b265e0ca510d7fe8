import { useMoney, useOrder } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { totalsOf, type Totals } from '../order/totals.ts'
import { useWords } from '../texts/use-words.tsx'

const nothingYet = { subtotal: 0, discount: 0, tax: 0, total: 0 }

/** The order's totals. Its rows have their places before the amounts are there. */
export function TotalsTable(): JSX.Element {
  const order = useOrder()
  const { address } = useSettings()
  const say = useWords()
  const money = useMoney()
  const isThere = order !== null && order.lines.length > 0
  return (
    <TotalsList
      totals={isThere ? totalsOf(order) : { ...nothingYet, shipping: address === 'full' ? 1 : null }}
      show={(amount) => (isThere ? money(amount, order.currency) : '…')}
      totalLabel={say('total')}
      currency={order?.currency}
    />
  )
}

/** Totals, and how an amount of them is written. */
export interface TotalsListProps {
  totals: Totals
  show: (amountMinor: number) => string
  totalLabel: string
  currency: string | undefined
}

/** The rows of a sum: those of discounts, shipping and tax only where there are any. */
export function TotalsList({ totals, show, totalLabel, currency }: TotalsListProps): JSX.Element {
  const say = useWords()
  const { subtotal, discount, shipping, tax, total } = totals
  return (
    <dl class="totals">
      <Row label={say('subtotal')} amount={show(subtotal)} />
      {discount > 0 && <Row label={say('discount')} amount={show(-discount)} kind="discount" />}
      {shipping !== null && (
        <Row label={say('shippingMethod')} amount={shipping === 0 ? say('free') : show(shipping)} />
      )}
      {tax > 0 && <Row label={say('tax')} amount={show(tax)} />}
      <Row label={totalLabel} amount={show(total)} kind="total" note={isPlain(show(total)) ? currency : undefined} />
    </dl>
  )
}

/** Whether an amount has a sign alone, such as $, which is that of several currencies. */
function isPlain(amount: string): boolean {
  return !/\p{L}{2}/u.test(amount)
}

interface RowProps {
  label: string
  amount: string
  kind?: 'discount' | 'total'
  note?: string | undefined
}

function Row({ label, amount, kind, note }: RowProps): JSX.Element {
  return (
    <div data-kind={kind}>
      <dt>{label}</dt>
      <dd>
        {note !== undefined && <small>{note}</small>} {amount}
      </dd>
    </div>
  )
}
