import type { ListEntry } from '../../api/client.ts'
import { Badge } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { count, money } from '../../language/values.ts'
import { text } from './text.ts'

type OrderDetails = ListEntry<'orders.list'>

/** The order's lines, and the composition of their price. */
export function Lines({ order }: { order: OrderDetails }) {
  const { currency, lines } = order
  return (
    <Section title={text('items')}>
      {lines.length === 0 ? (
        <p class="hint">{text('plainAmount')}</p>
      ) : (
        <table class="lines">
          <thead>
            <tr>
              <th scope="col">{text('item')}</th>
              <th scope="col" class="number">
                {text('quantity')}
              </th>
              <th scope="col" class="number wide">
                {text('unitPrice')}
              </th>
              <th scope="col" class="number wide">
                {text('discount')}
              </th>
              <th scope="col" class="number">
                {text('amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={index}>
                <td>
                  <a href={`/console/products/${line.productId}`}>{line.name}</a>{' '}
                  {line.promotionId !== null && <Badge tone="good">{text('gift')}</Badge>}
                  {line.recurring !== null && <Badge tone="calm">{text('recurring')}</Badge>}
                  {line.deferredAmount > 0 && (
                    <p class="hint">{text('laterLine', { amount: money(line.deferredAmount, currency) })}</p>
                  )}
                </td>
                <td class="number">{count(line.quantity)}</td>
                <td class="number wide">{money(line.unitAmount, currency)}</td>
                <td class="number wide">{line.discountAmount === 0 ? '' : money(-line.discountAmount, currency)}</td>
                <td class="number">{money(line.amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Totals order={order} />
    </Section>
  )
}

/** From the lines to what is due. A step that changes nothing is left out. */
function Totals({ order }: { order: OrderDetails }) {
  const { currency, subtotal, discountAmount, deferredAmount, shippingAmount, shippingDiscount, taxAmount } = order
  const steps: readonly (readonly [string, number])[] = [
    [text('discounts'), -discountAmount],
    [text('later'), -deferredAmount],
    [text('shipping'), shippingAmount],
    [text('shippingDiscount'), -shippingDiscount],
    [text('tax'), taxAmount],
  ]
  return (
    <dl class="totals">
      {order.lines.length > 0 && (
        <>
          <dt>{text('subtotal')}</dt>
          <dd>{money(subtotal, currency)}</dd>
        </>
      )}
      {steps
        .filter(([, amount]) => amount !== 0)
        .map(([name, amount]) => (
          <>
            <dt>{name}</dt>
            <dd>{money(amount, currency)}</dd>
          </>
        ))}
      <dt class="sum">{text('total')}</dt>
      <dd class="sum">{money(order.amount, currency)}</dd>
    </dl>
  )
}
