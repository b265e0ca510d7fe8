import { useMoney, useOrder, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import type { ShippingWay } from '../order/lines.ts'
import { useWords } from '../texts/use-words.tsx'

/** The ways of shipping to choose from. */
export interface ShippingSectionProps {
  ways: readonly ShippingWay[]
  chosen: ShippingWay | null
  onChoose: (way: ShippingWay) => void
}

/** How the goods are sent. */
export function ShippingSection({ ways, chosen, onChoose }: ShippingSectionProps): JSX.Element {
  const say = useWords()
  const t = useText()
  return (
    <section class="section" aria-labelledby="ways-heading">
      <h2 id="ways-heading">{say('shippingMethod')}</h2>
      {ways.length === 0 ? (
        <p class="hint">{say('noShipping')}</p>
      ) : (
        <div class="ways" role="radiogroup" aria-labelledby="ways-heading">
          {ways.map((way) => (
            <label class="way" key={way.id}>
              <input type="radio" name="way" checked={way.id === chosen?.id} onChange={() => onChoose(way)} />
              <span class="way-words">
                <span>{t(way.name)}</span>
                {way.note !== undefined && <small>{t(way.note)}</small>}
              </span>
              <Price way={way} />
            </label>
          ))}
        </div>
      )}
    </section>
  )
}

/** What the order says of the way that it has; of the others, what the settings say. */
function Price({ way }: { way: ShippingWay }): JSX.Element | null {
  const order = useOrder()
  const say = useWords()
  const money = useMoney()
  if ((way.variantId ?? '') === '') return <span class="way-price">{say('free')}</span>
  const line = order?.lines.find(({ variantId }) => variantId === way.variantId)
  const amount = line?.unitAmount ?? way.shownAmounts?.[order?.currency ?? '']
  return amount === undefined ? null : <span class="way-price">{money(amount, order?.currency ?? 'USD')}</span>
}
