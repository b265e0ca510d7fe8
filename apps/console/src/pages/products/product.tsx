import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Input, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Check, TextArea } from '../../forms/fields.tsx'
import { ArchiveButton, type Revision, SaveDialog, useTyped } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { StoreLink } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { describeProduct, type ProductDetails } from './prices.tsx'
import './products.css'
import { SaleStatus } from './products.tsx'
import { text } from './text.ts'
import { NewVariant } from './variant-dialogs.tsx'
import { Variant } from './variants.tsx'

/** One product: its variants with their prices, and what can be changed of it. */
export function Product() {
  const { id = '' } = useRoute().params
  const read = useRead('products.get', { productId: id })
  return <LoadedPage read={read}>{(product) => <ProductPage product={product} />}</LoadedPage>
}

function ProductPage({ product }: { product: ProductDetails }) {
  const { id, name, storeId, description, isShippable, isTaxable, createdAt, updatedAt } = product
  const variants = product.variants.toSorted((a, b) => Number(a.archived) - Number(b.archived))
  return (
    <Page
      title={name}
      note={
        <>
          <SaleStatus of={product} /> <Copy value={id} />
        </>
      }
      actions={<Actions product={product} />}
    >
      <div class="columns">
        <div class="stack">
          {variants.map((variant) => (
            <Variant key={variant.id} product={product} variant={variant} />
          ))}
          <ApiCall operation="products.get" input={{ productId: id }} />
        </div>
        <div class="stack">
          <Section title={text('facts')}>
            <Facts
              of={[
                [text('description'), description],
                [forms('store'), <StoreLink key="store" id={storeId} />],
                [text('isShippable'), shared(`filter.${isShippable}`)],
                [text('isTaxable'), shared(`filter.${isTaxable}`)],
                [text('taxCategory'), product.taxCategory],
                [text('accountingCode'), product.accountingCode],
                [text('unitLabel'), product.unitLabel],
                [text('created'), <Time key="created" at={createdAt} />],
                [text('changed'), <Time key="changed" at={updatedAt} />],
              ]}
            />
          </Section>
        </div>
      </div>
    </Page>
  )
}

const affects = ['products.']

function Actions({ product }: { product: ProductDetails }) {
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'variant' | null>(null)
  const productId = product.id
  return (
    <>
      {may('products.archive') && (
        <ArchiveButton
          of={product}
          effect={{ archive: text('archive.effect'), unarchive: text('unarchive.effect') }}
          archive={(input, options) => api.products.archive({ productId, ...input }, options)}
          unarchive={(input, options) => api.products.unarchive({ productId, ...input }, options)}
          describe={describeProduct}
          affects={affects}
        />
      )}
      {may('variants.create') && <Button onClick={() => setOpen('variant')}>{text('addVariant')}</Button>}
      {may('products.update') && <Button onClick={() => setOpen('edit')}>{forms('edit')}</Button>}
      {open === 'edit' && <EditProduct product={product} onClose={() => setOpen(null)} />}
      {open === 'variant' && <NewVariant product={product} onClose={() => setOpen(null)} />}
    </>
  )
}

function EditProduct({ product, onClose }: { product: ProductDetails; onClose: () => void }) {
  const { base, typed, setTyped, onTake } = useTyped(product, editable)
  const sent = readProduct(typed)
  const change = useChange(
    ({ revision }: Revision<ProductDetails>, options) =>
      api.products.update({ productId: product.id, ...sent, revision }, options),
    affects,
  )
  return (
    <SaveDialog
      effect={text('edit.effect')}
      change={change}
      base={base}
      mine={{ ...base, ...sent }}
      describe={describeProduct}
      disabled={typed.name.trim() === ''}
      onClose={onClose}
      onTake={onTake}
    >
      <Input
        label={text('name')}
        maxLength={255}
        required
        value={typed.name}
        onValue={(name) => setTyped({ ...typed, name })}
      />
      <TextArea
        label={text('description')}
        maxLength={5_000}
        value={typed.description}
        onValue={(description) => setTyped({ ...typed, description })}
      />
      {(['active', 'isShippable', 'isTaxable'] as const).map((field) => (
        <Check
          key={field}
          label={text(field === 'active' ? 'isActive' : field)}
          isChecked={typed[field]}
          onChange={(isChecked) => setTyped({ ...typed, [field]: isChecked })}
        />
      ))}
      {codes.map((field) => (
        <Input
          key={field}
          label={text(field)}
          {...(field === 'taxCategory' && { hint: text('taxCategoryHint') })}
          maxLength={255}
          value={typed[field]}
          onValue={(value) => setTyped({ ...typed, [field]: value })}
        />
      ))}
    </SaveDialog>
  )
}

/** Words of the merchant's own software. */
const codes = ['taxCategory', 'accountingCode', 'unitLabel'] as const

function editable({ name, active, isShippable, isTaxable, ...product }: ProductDetails) {
  return {
    name,
    active,
    isShippable,
    isTaxable,
    description: product.description ?? '',
    taxCategory: product.taxCategory ?? '',
    accountingCode: product.accountingCode ?? '',
    unitLabel: product.unitLabel ?? '',
  }
}

/** Typed fields as the contract takes them; empty ones become `null`, which clears them. */
function readProduct(typed: ReturnType<typeof editable>) {
  return {
    ...typed,
    description: typed.description.trim() || null,
    taxCategory: typed.taxCategory.trim() || null,
    accountingCode: typed.accountingCode.trim() || null,
    unitLabel: typed.unitLabel.trim() || null,
  }
}
