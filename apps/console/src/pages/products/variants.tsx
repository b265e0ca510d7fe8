import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { Badge, Button } from '../../design/controls.tsx'
import { Facts } from '../../design/section.tsx'
import { ConfirmDialog } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { count } from '../../language/values.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { NewPrice, Price } from './price.tsx'
import { describeProduct, type ProductDetails, type VariantDetails } from './prices.tsx'
import { text } from './text.ts'
import { EditVariant } from './variant-dialogs.tsx'

const affects = ['products.']

interface VariantProps {
  product: ProductDetails
  variant: VariantDetails
}

type Asked = 'edit' | 'addPrice' | 'default' | 'archive' | 'unarchive'

/** One variant with its prices, and what can be changed of it. */
export function Variant({ product, variant }: VariantProps) {
  const may = useMay()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { name, archived, prices } = variant
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
          {!archived && may('variants.update') && (
            <Button onClick={() => setAsked('edit')}>{text('variant.edit', { name })}</Button>
          )}
          {!archived && may('prices.create') && (
            <Button onClick={() => setAsked('addPrice')}>{text('addPrice')}</Button>
          )}
        </div>
      </header>
      <div class="inside">
        <VariantFacts of={variant} />
        <ul class="prices" aria-label={text('prices')}>
          {prices
            .toSorted((a, b) => Number(a.archived) - Number(b.archived))
            .map((price) => (
              <Price key={price.id} product={product} variant={variant} price={price} />
            ))}
        </ul>
      </div>
      {asked === 'addPrice' && <NewPrice product={product} variant={variant} onClose={close} />}
      {asked === 'edit' && <EditVariant product={product} variant={variant} onClose={close} />}
      {asked !== null && asked !== 'addPrice' && asked !== 'edit' && (
        <VariantDialog asked={asked} product={product} variant={variant} onClose={close} />
      )}
    </section>
  )
}

/** What tells a variant from the others, besides its prices. */
function VariantFacts({ of: { sku, grams, imageUrl, description, active } }: { of: VariantDetails }) {
  const facts = [
    [text('description'), description || null],
    [text('sku'), sku === undefined ? null : <code key="sku">{sku}</code>],
    [text('grams'), grams === 0 ? null : count(grams)],
    [text('imageUrl'), imageUrl ?? null],
    [text('status'), active ? null : <Badge tone="calm">{text('notOnSale')}</Badge>],
  ] as const
  return facts.every(([, value]) => value === null) ? null : <Facts of={facts} />
}

interface VariantDialogProps extends VariantProps {
  asked: Exclude<Asked, 'addPrice' | 'edit'>
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
