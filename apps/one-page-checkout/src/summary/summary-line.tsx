import { formatPeriod, type OrderLine } from '@tillwright/plugin-sdk'
import { useLocale, useMoney, usePage, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { imageAddress } from '../frame/page-frame.tsx'
import { useSettings } from '../look/use-settings.ts'
import type { Product } from '../order/lines.ts'
import { useWords } from '../texts/use-words.tsx'

/** A line of the order. */
export interface SummaryLineProps {
  line: OrderLine
  currency: string
  /** How far the buyer may change the quantity: not at all, down to removing the line, or from one on. */
  change: 'none' | 'any' | 'kept'
}

/** Picture, name, quantity and price of what is bought. */
export function SummaryLine({ line, currency, change }: SummaryLineProps): JSX.Element {
  const { products } = useSettings()
  const say = useWords()
  const t = useText()
  const money = useMoney()
  const locale = useLocale()
  const product = products.find(({ variantId }) => variantId === line.variantId)
  const name = t(product?.title) || line.name
  const price = line.unitAmount * line.quantity
  const now = line.amount + line.deferredAmount
  return (
    <li class="line">
      <Picture image={product?.image ?? ''} name={name} />
      <div class="line-words">
        <p class="line-name">{name}</p>
        {product?.text !== undefined && <p class="line-text">{t(product.text)}</p>}
        {line.promotionId !== null && <p class="tag">{say('gift')}</p>}
        {line.deferredAmount > 0 && (
          <p class="line-text">{say('payLater', { amount: money(line.deferredAmount, currency) })}</p>
        )}
        {change === 'none' || line.promotionId !== null ? (
          <p class="line-text">{say('quantityOf', { quantity: line.quantity })}</p>
        ) : (
          <QuantityChoice line={line} name={name} least={change === 'any' ? 0 : 1} />
        )}
      </div>
      <p class="line-price">
        {now < price && <s>{money(price, currency)}</s>}
        <span>{money(now, currency)}</span>
        {line.recurring !== null && <small>{formatPeriod(line.recurring, locale)}</small>}
      </p>
    </li>
  )
}

/** A line that is on its way, as high as it will be. */
export function WaitingLine({ product }: { product: Product | undefined }): JSX.Element {
  return (
    <li class="line waiting" aria-hidden="true">
      <span class="picture" />
      <div class="line-words">
        <p class="line-name">&nbsp;</p>
        {product?.text !== undefined && <p class="line-text">&nbsp;</p>}
        <span class="quantity" />
      </div>
      <p class="line-price">&nbsp;</p>
    </li>
  )
}

/** The merchant's picture, or the first letter of the name. */
function Picture({ image, name }: { image: string; name: string }): JSX.Element {
  const { data } = usePage()
  if (image !== '') return <img class="picture" src={imageAddress(image, data)} alt="" width="72" height="72" />
  return (
    <span class="picture" aria-hidden="true">
      {[...name][0]}
    </span>
  )
}

const MOST = 99

/** The quantity of a line. */
export interface QuantityChoiceProps {
  line: OrderLine
  name: string
  /** The least that may be chosen; 0 takes the line out. */
  least: 0 | 1
}

/**
 * Two buttons around a number that answers at once; the order follows when the platform has priced it. One that does
 * nothing is not disabled, which would take the keyboard from it.
 */
function QuantityChoice({ line, name, least }: QuantityChoiceProps): JSX.Element {
  const { order } = usePage()
  const say = useWords()
  const [wanted, setWanted] = useState(line.quantity)
  useEffect(() => setWanted(line.quantity), [line.quantity])
  const choose = (quantity: number): void => {
    if (quantity < least || quantity > MOST) return
    setWanted(quantity)
    const { variantId, priceId } = line
    order.setQuantity({ variantId, priceId }, quantity).catch(() => setWanted(line.quantity))
  }
  const isLast = wanted === 1 && least === 0
  return (
    <div class="quantity" role="group" aria-label={say('quantity')}>
      <button
        type="button"
        aria-label={say(isLast ? 'remove' : 'oneLess', { name })}
        aria-disabled={wanted <= least}
        onClick={() => choose(wanted - 1)}
      >
        {isLast ? '×' : '−'}
      </button>
      <output>{wanted}</output>
      <button
        type="button"
        aria-label={say('oneMore', { name })}
        aria-disabled={wanted >= MOST}
        onClick={() => choose(wanted + 1)}
      >
        +
      </button>
    </div>
  )
}
