import type { Contract, ResponseOf } from '@tillwright/contract'
import { Badge } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { count, money } from '../../language/values.ts'
import { leftOutWords, WhyLeftOut } from '../../objects/left-out.tsx'
import { pathOf } from './promotions.tsx'
import { text } from './text.ts'

/** The price that an order would have. */
export type Quote = ResponseOf<Contract['orders']['quote']>

/** Price of an order, line by line, and the part of each promotion in it. */
export function Outcome({ quote }: { quote: Quote | null }) {
  if (quote === null) {
    return (
      <Section title={text('result')}>
        <p class="hint">{text('result.none')}</p>
      </Section>
    )
  }
  return (
    <>
      <Section title={text('result')}>
        <div class="stack">
          <Lines quote={quote} />
          <Totals quote={quote} />
        </div>
      </Section>
      <Applied quote={quote} />
      <LeftOut quote={quote} />
    </>
  )
}

function Lines({ quote: { lines, currency } }: { quote: Quote }) {
  return (
    <ul class="outcome">
      {lines.map((line, at) => (
        <li key={at}>
          <div class="what">
            <strong>
              {count(line.quantity)} × {line.name}
            </strong>
            {line.promotionId !== null && <Badge tone="good">{text('isGift')}</Badge>}
            <span class="end">{money(line.amount, currency)}</span>
          </div>
          <p>
            {text('unit')} {money(line.unitAmount, currency)}
            {line.discountAmount > 0 && `; ${text('off')} ${money(line.discountAmount, currency)}`}
            {line.deferredAmount > 0 && `; ${text('deferred')} ${money(line.deferredAmount, currency)}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

function Totals({ quote }: { quote: Quote }) {
  const { currency } = quote
  const shown = (amount: number) => (amount === 0 ? null : money(amount, currency))
  return (
    <Facts
      of={[
        [text('subtotal'), money(quote.subtotal, currency)],
        [text('off'), shown(quote.discountAmount)],
        [text('shippingAmount'), shown(quote.shippingAmount)],
        [text('shippingDiscount'), shown(quote.shippingDiscount)],
        [text('tax'), shown(quote.taxAmount)],
        [text('deferred'), shown(quote.deferredAmount)],
        [text('total'), <strong key="total">{money(quote.amount, currency)}</strong>],
      ]}
    />
  )
}

function Applied({ quote: { promotions, currency, storeId } }: { quote: Quote }) {
  return (
    <Section title={text('applied')}>
      {promotions.applied.length === 0 && <p class="hint">{text('applied.none')}</p>}
      <ul class="outcome">
        {promotions.applied.map(({ promotionId, name, code, saving }) => (
          <li key={promotionId}>
            <div class="what">
              <a href={`/console${pathOf({ id: promotionId, storeId })}`}>{name}</a>
              {code !== null && <code>{code}</code>}
              <span class="end">
                <Badge tone="good">{text('saves', { amount: money(saving, currency) })}</Badge>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function LeftOut({ quote: { promotions, storeId } }: { quote: Quote }) {
  return (
    <Section title={text('leftOut')}>
      {promotions.leftOut.length === 0 && <p class="hint">{text('leftOut.none')}</p>}
      <ul class="outcome">
        {promotions.leftOut.map((left) => (
          <li key={left.promotionId}>
            <div class="what">
              <a href={`/console${pathOf({ id: left.promotionId, storeId })}`}>{left.name}</a>
              {left.code !== null && <code>{left.code}</code>}
              <span class="end">
                <Badge tone="wait">{leftOutWords(left)}</Badge>
              </span>
            </div>
            <WhyLeftOut left={left} applied={promotions.applied} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
