import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Badge, Button } from '../../design/controls.tsx'
import { Amounts, readAmounts } from '../../forms/fields.tsx'
import { ConfirmDialog, type Revision, SaveDialog } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import {
  amountsOf,
  describeProduct,
  likePrice,
  periodOf,
  type PriceDetails,
  PriceFields,
  type ProductDetails,
  readPrice,
  span,
  typedPrice,
  type VariantDetails,
} from './prices.tsx'
import { text } from './text.ts'

const affects = ['products.']

interface PriceProps {
  product: ProductDetails
  variant: VariantDetails
  price: PriceDetails
}

type Asked = 'change' | 'offer' | 'default' | 'archive' | 'unarchive'

/** One price of a variant, and what can be changed of it. */
export function Price({ product, variant, price }: PriceProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const { archived, offeredToPages, trialDays } = price
  const close = () => setAsked(null)
  return (
    <li class={archived ? 'gone' : ''}>
      <strong>{amountsOf(price)}</strong>
      <span>{periodOf(price)}</span>
      {trialDays > 0 && <span>{text('trial', { days: span(trialDays, 'day') })}</span>}
      {price.default && <Badge tone="calm">{text('default')}</Badge>}
      {!price.default && offeredToPages && <Badge tone="calm">{text('offered')}</Badge>}
      {archived && <Status of="archived" />}
      <Buttons variant={variant} price={price} onAsked={setAsked} />
      {asked === 'change' && <ChangePrice product={product} variant={variant} price={price} onClose={close} />}
      {asked !== null && asked !== 'change' && (
        <PriceDialog asked={asked} product={product} variant={variant} price={price} onClose={close} />
      )}
    </li>
  )
}

function Buttons({ variant, price, onAsked }: Omit<PriceProps, 'product'> & { onAsked: (asked: Asked) => void }) {
  const may = useMay()
  const { archived, offeredToPages } = price
  const isOther = !price.default
  const isChanged = isOther && !archived && may('prices.update')
  return (
    <span class="buttons">
      {!archived && !variant.archived && may('prices.create') && (
        <Button onClick={() => onAsked('change')}>{text('price.change')}</Button>
      )}
      {isChanged && (
        <>
          <Button kind="plain" onClick={() => onAsked('default')}>
            {text('makeDefault')}
          </Button>
          <Button kind="plain" onClick={() => onAsked('offer')}>
            {text(offeredToPages ? 'withdraw' : 'offer')}
          </Button>
        </>
      )}
      {isOther && may('prices.archive') && (
        <Button kind="plain" onClick={() => onAsked(archived ? 'unarchive' : 'archive')}>
          {forms(archived ? 'unarchive' : 'archive')}
        </Button>
      )}
    </span>
  )
}

interface PriceDialogProps extends PriceProps {
  asked: Exclude<Asked, 'change'>
  onClose: () => void
}

function PriceDialog({ asked, product, variant, price, onClose }: PriceDialogProps) {
  const ids = { productId: product.id, variantId: variant.id, priceId: price.id }
  const shown = amountsOf(price)
  const { offeredToPages } = price
  const confirmed = { of: product, describe: describeProduct, affects, onClose }
  if (asked === 'default') {
    const label = text('makeDefault')
    const effect = text('price.default.effect', { price: shown, name: variant.name })
    const work: Work = (input, options) => api.prices.update({ ...ids, ...input, default: true }, options)
    return <ConfirmDialog {...confirmed} title={label} label={label} effect={effect} work={work} />
  }
  if (asked === 'offer') {
    const label = text(offeredToPages ? 'withdraw' : 'offer')
    const effect = text(offeredToPages ? 'withdraw.effect' : 'offer.effect', { price: shown })
    const work: Work = (input, options) =>
      api.prices.update({ ...ids, ...input, offeredToPages: !offeredToPages }, options)
    return <ConfirmDialog {...confirmed} title={label} label={label} effect={effect} work={work} />
  }
  const effect = text(`price.${asked}.effect`, { price: shown })
  const work: Work = (input, options) => api.prices[asked]({ ...ids, ...input }, options)
  return <ConfirmDialog {...confirmed} title={forms(asked)} label={forms(asked)} effect={effect} work={work} />
}

type Work = ComponentProps<typeof ConfirmDialog<ProductDetails>>['work']

/** Replaces a price by another one: subscriptions at the old one keep it. */
function ChangePrice({ product, variant, price, onClose }: PriceProps & { onClose: () => void }) {
  const [base] = useState(product)
  const [typed, setTyped] = useState(() => typedPrice(price).amounts)
  const options = readAmounts(typed)
  const { recurring, billingTiming, interval, intervalCount, trialDays, offeredToPages } = price
  const terms = { recurring, billingTiming, interval, intervalCount, trialDays, offeredToPages }
  const change = useChange(async ({ revision }: Revision<ProductDetails>, sent) => {
    if (options === null) return
    const ids = { productId: product.id, variantId: variant.id, replaces: price.id }
    await api.prices.create({ ...ids, ...terms, currencyOptions: options, revision }, sent)
  }, affects)
  const [before, after] = [amountsOf(price), options === null ? '' : shownAmounts(options)]
  const mine = withPrices(base, variant, (each) =>
    each.id === price.id && options !== null ? { ...each, currencyOptions: codes(options) } : each,
  )
  return (
    <SaveDialog
      title={text('price.change')}
      label={text('price.change')}
      change={change}
      base={base}
      mine={mine}
      describe={describeProduct}
      disabled={options === null || after === before}
      onClose={onClose}
    >
      <Amounts value={typed} onValue={setTyped} />
      {options !== null && after !== before && (
        <ul class="effects">
          <li>{text('price.from', { name: variant.name, price: after })}</li>
          <li>{text('price.orders', { price: before })}</li>
          {recurring && <li>{text('price.subscriptions', { price: before })}</li>}
          <li>{text('price.archived')}</li>
        </ul>
      )}
    </SaveDialog>
  )
}

/** Adds a price to a variant. */
export function NewPrice({ product, variant, onClose }: Omit<PriceProps, 'price'> & { onClose: () => void }) {
  const [base] = useState(product)
  const [typed, setTyped] = useState(() => likePrice(variant.prices.find((each) => each.default)))
  const terms = readPrice(typed)
  const change = useChange(async ({ revision }: Revision<ProductDetails>, sent) => {
    if (terms !== null)
      await api.prices.create({ productId: product.id, variantId: variant.id, ...terms, revision }, sent)
  }, affects)
  return (
    <SaveDialog
      title={text('addPrice')}
      label={text('addPrice')}
      effect={text('addPrice.effect')}
      change={change}
      base={base}
      mine={base}
      describe={describeProduct}
      disabled={terms === null}
      onClose={onClose}
    >
      <PriceFields value={typed} onValue={setTyped} />
    </SaveDialog>
  )
}

type Options = Readonly<Record<string, { amount: number }>>

function codes(options: Options): PriceDetails['currencyOptions'] {
  return Object.fromEntries(Object.entries(options).map(([currency, { amount }]) => [currency, { amount, currency }]))
}

function shownAmounts(options: Options): string {
  return amountsOf({ currencyOptions: codes(options) })
}

function withPrices(
  product: ProductDetails,
  { id }: VariantDetails,
  change: (price: PriceDetails) => PriceDetails,
): ProductDetails {
  const variants = product.variants.map((each) =>
    each.id === id ? { ...each, prices: each.prices.map(change) } : each,
  )
  return { ...product, variants }
}
