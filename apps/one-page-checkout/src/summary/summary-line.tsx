import type { OrderLine } from '@tillwright/plugin-sdk'
import { useMoney, usePage, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { imageAddress } from '../frame/image-address.ts'
import { useSettings } from '../look/use-settings.ts'
import type { Product } from '../order/lines.ts'
import { useWords } from '../texts/use-words.tsx'
import { rhythmOf } from './rhythm-of.ts'
import { QuantityChoice } from './quantity-choice.tsx'

/** A line of the order. */
export interface SummaryLineProps {
  line: OrderLine
  currency: string
  /** What the buyer may do with its quantity: nothing, anything down to taking it out, or anything from one on. */
  change: 'none' | 'any' | 'kept'
}

/** Picture, name, quantity and price of what is bought. */
export function SummaryLine({ line, currency, change }: SummaryLineProps): JSX.Element {
  const { products } = useSettings()
  const say = useWords()
  const t = useText()
  const money = useMoney()
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
        {line.recurring !== null && <small>{rhythmOf(line.recurring, say)}</small>}
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
