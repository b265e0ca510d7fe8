import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Badge, Button, Input } from '../../design/controls.tsx'
import { Amounts, readAmounts } from '../../forms/fields.tsx'
import { ConfirmDialog, type Revision, SaveDialog } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import {
  amountsOf,
  defaultPrice,
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

interface VariantProps {
  product: ProductDetails
  variant: VariantDetails
}

type Asked = 'addPrice' | 'default' | 'archive' | 'unarchive'

/** One variant with its prices, and what can be changed of it. */
export function Variant({ product, variant }: VariantProps) {
  const may = useMay()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { name, sku, archived, prices } = variant
  const isOther = !variant.default
  const close = () => setAsked(null)
  return (
    <section class="card variant">
      <header>
        <h2>
          {name} {variant.default && <Badge tone="calm">{text('default')}</Badge>}{' '}
          {archived && <Status of="archived" />}
        </h2>
        <div class="buttons">
          {isOther && !archived && may('variants.update') && (
            <Button onClick={() => setAsked('default')}>{text('makeDefault')}</Button>
          )}
          {isOther && may('variants.archive') && (
            <Button onClick={() => setAsked(archived ? 'unarchive' : 'archive')}>
              {forms(archived ? 'unarchive' : 'archive')}
            </Button>
          )}
          {!archived && may('prices.create') && (
            <Button onClick={() => setAsked('addPrice')}>{text('addPrice')}</Button>
          )}
        </div>
      </header>
      <div class="inside">
        {sku !== undefined && (
          <p class="sku">
            {text('sku')} <code>{sku}</code>
          </p>
        )}
        <ul class="prices" aria-label={text('prices')}>
          {prices
            .toSorted((a, b) => Number(a.archived) - Number(b.archived))
            .map((price) => (
              <Price key={price.id} product={product} variant={variant} price={price} />
            ))}
        </ul>
      </div>
      {asked === 'addPrice' && <NewPrice product={product} variant={variant} onClose={close} />}
      {asked !== null && asked !== 'addPrice' && (
        <VariantDialog asked={asked} product={product} variant={variant} onClose={close} />
      )}
    </section>
  )
}

interface VariantDialogProps extends VariantProps {
  asked: Exclude<Asked, 'addPrice'>
  onClose: () => void
}

function VariantDialog({ asked, product, variant: { id: variantId, name }, onClose }: VariantDialogProps) {
  const ids = { productId: product.id, variantId }
  const confirmed = { of: product, describe: describeProduct, affects, onClose }
  if (asked === 'default') {
    return (
      <ConfirmDialog
        {...confirmed}
        title={text('makeDefault')}
        label={text('makeDefault')}
        effect={text('variant.default.effect', { name })}
        work={(input, options) => api.variants.update({ ...ids, ...input, default: true }, options)}
      />
    )
  }
  return (
    <ConfirmDialog
      {...confirmed}
      title={forms(asked)}
      label={forms(asked)}
      effect={text(`variant.${asked}.effect`, { name })}
      work={(input, options) => api.variants[asked]({ ...ids, ...input }, options)}
    />
  )
}

interface PriceProps extends VariantProps {
  price: PriceDetails
}

function Price({ product, variant, price }: PriceProps) {
  const may = useMay()
  const [asked, setAsked] = useState<'change' | Exclude<Asked, 'addPrice'> | null>(null)
  const ids = { productId: product.id, variantId: variant.id, priceId: price.id }
  const shown = amountsOf(price)
  const { archived } = price
  const isOther = !price.default
  const close = () => setAsked(null)
  const confirmed = { of: product, describe: describeProduct, affects, onClose: close }
  return (
    <li class={archived ? 'gone' : ''}>
      <strong>{shown}</strong>
      <span>{periodOf(price)}</span>
      {price.trialDays > 0 && <span>{text('trial', { days: span(price.trialDays, 'day') })}</span>}
      {price.default && <Badge tone="calm">{text('default')}</Badge>}
      {archived && <Status of="archived" />}
      <span class="buttons">
        {!archived && !variant.archived && may('prices.create') && (
          <Button onClick={() => setAsked('change')}>{text('price.change')}</Button>
        )}
        {isOther && !archived && may('prices.update') && (
          <Button kind="plain" onClick={() => setAsked('default')}>
            {text('makeDefault')}
          </Button>
        )}
        {isOther && may('prices.archive') && (
          <Button kind="plain" onClick={() => setAsked(archived ? 'unarchive' : 'archive')}>
            {forms(archived ? 'unarchive' : 'archive')}
          </Button>
        )}
      </span>
      {asked === 'change' && <ChangePrice product={product} variant={variant} price={price} onClose={close} />}
      {asked === 'default' && (
        <ConfirmDialog
          {...confirmed}
          title={text('makeDefault')}
          label={text('makeDefault')}
          effect={text('price.default.effect', { price: shown, name: variant.name })}
          work={(input, options) => api.prices.update({ ...ids, ...input, default: true }, options)}
        />
      )}
      {(asked === 'archive' || asked === 'unarchive') && (
        <ConfirmDialog
          {...confirmed}
          title={forms(asked)}
          label={forms(asked)}
          effect={text(`price.${asked}.effect`, { price: shown })}
          work={(input, options) => api.prices[asked]({ ...ids, ...input }, options)}
        />
      )}
    </li>
  )
}

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

function NewPrice({ product, variant, onClose }: VariantProps & { onClose: () => void }) {
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

/** Adds a variant with one price. */
export function NewVariant({ product, onClose }: { product: ProductDetails; onClose: () => void }) {
  const [base] = useState(product)
  const [name, setName] = useState('')
  const [sku, setSku] = useState('')
  const [price, setPrice] = useState(() => likePrice(defaultPrice(product)))
  const terms = readPrice(price)
  const change = useChange(async ({ revision }: Revision<ProductDetails>, sent) => {
    if (terms === null) return
    await api.variants.create({ productId: product.id, name, sku: sku.trim() || null, prices: [terms], revision }, sent)
  }, affects)
  return (
    <SaveDialog
      title={text('addVariant')}
      label={text('addVariant')}
      change={change}
      base={base}
      mine={base}
      describe={describeProduct}
      disabled={terms === null || name.trim() === ''}
      onClose={onClose}
    >
      <Input
        label={text('variantName')}
        hint={text('variantHint')}
        maxLength={255}
        required
        value={name}
        onValue={setName}
      />
      <Input label={text('sku')} maxLength={255} value={sku} onValue={setSku} />
      <PriceFields value={price} onValue={setPrice} />
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
