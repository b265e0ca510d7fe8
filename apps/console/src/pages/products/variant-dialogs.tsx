import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Input } from '../../design/controls.tsx'
import { Check } from '../../forms/fields.tsx'
import { type Revision, SaveDialog, useTyped } from '../../forms/save.tsx'
import {
  defaultPrice,
  describeProduct,
  likePrice,
  PriceFields,
  type ProductDetails,
  readPrice,
  type VariantDetails,
} from './prices.tsx'
import { text } from './text.ts'

const affects = ['products.']

/** A variant as it is typed. */
interface TypedVariant {
  name: string
  description: string
  sku: string
  grams: string
  imageUrl: string
  active: boolean
}

function typedVariant(variant?: VariantDetails): TypedVariant {
  const { name = '', description = '', sku = '', grams = 0, imageUrl = '', active = true } = variant ?? {}
  return { name, description, sku, grams: grams === 0 ? '' : String(grams), imageUrl, active }
}

/** A typed variant as the contract takes it; `null` while something in it is wrong. */
function readVariant({ name, sku, grams, imageUrl, ...same }: TypedVariant) {
  const weight = Number(grams.trim().replace(',', '.'))
  if (name.trim() === '' || !(weight >= 0)) return null
  return { ...same, name, sku: sku.trim() || null, grams: weight, imageUrl: imageUrl.trim() || null }
}

interface FieldsProps {
  typed: TypedVariant
  onTyped: (typed: TypedVariant) => void
}

function VariantFields({ typed, onTyped }: FieldsProps) {
  const set = (fields: Partial<TypedVariant>) => onTyped({ ...typed, ...fields })
  return (
    <>
      <Input
        label={text('variantName')}
        hint={text('variantHint')}
        maxLength={255}
        required
        value={typed.name}
        onValue={(name) => set({ name })}
      />
      <Input
        label={text('description')}
        maxLength={5_000}
        value={typed.description}
        onValue={(description) => set({ description })}
      />
      <div class="fields">
        <Input label={text('sku')} maxLength={255} value={typed.sku} onValue={(sku) => set({ sku })} />
        <Input label={text('grams')} inputMode="decimal" value={typed.grams} onValue={(grams) => set({ grams })} />
      </div>
      <Input label={text('imageUrl')} type="url" value={typed.imageUrl} onValue={(imageUrl) => set({ imageUrl })} />
      <Check label={text('isActive')} isChecked={typed.active} onChange={(active) => set({ active })} />
    </>
  )
}

/** Adds a variant with one price. */
export function NewVariant({ product, onClose }: { product: ProductDetails; onClose: () => void }) {
  const [base] = useState(product)
  const [typed, setTyped] = useState(() => typedVariant())
  const [price, setPrice] = useState(() => likePrice(defaultPrice(product)))
  const [variant, terms] = [readVariant(typed), readPrice(price)]
  const change = useChange(async ({ revision }: Revision<ProductDetails>, sent) => {
    if (variant === null || terms === null) return
    await api.variants.create({ productId: product.id, ...variant, prices: [terms], revision }, sent)
  }, affects)
  return (
    <SaveDialog
      title={text('addVariant')}
      label={text('addVariant')}
      change={change}
      base={base}
      mine={base}
      describe={describeProduct}
      disabled={variant === null || terms === null}
      onClose={onClose}
    >
      <VariantFields typed={typed} onTyped={setTyped} />
      <PriceFields value={price} onValue={setPrice} />
    </SaveDialog>
  )
}

interface EditProps {
  product: ProductDetails
  variant: VariantDetails
  onClose: () => void
}

/** Changes what a variant is called, weighs and looks like; prices have dialogs of their own. */
export function EditVariant({ product, variant, onClose }: EditProps) {
  const { id: variantId } = variant
  const { base, typed, setTyped, onTake } = useTyped(product, ({ variants }) =>
    typedVariant(variants.find(({ id }) => id === variantId)),
  )
  const read = readVariant(typed)
  const change = useChange(async ({ revision }: Revision<ProductDetails>, sent) => {
    if (read !== null) await api.variants.update({ productId: product.id, variantId, ...read, revision }, sent)
  }, affects)
  return (
    <SaveDialog
      title={text('variant.edit', { name: variant.name })}
      effect={text('edit.effect')}
      change={change}
      base={base}
      mine={{ ...base, variants: base.variants.map((each) => (each.id === variantId ? mine(each, read) : each)) }}
      describe={describeProduct}
      disabled={read === null}
      onClose={onClose}
      onTake={onTake}
    >
      <VariantFields typed={typed} onTyped={setTyped} />
    </SaveDialog>
  )
}

function mine(variant: VariantDetails, read: ReturnType<typeof readVariant>): VariantDetails {
  if (read === null) return variant
  const { sku, imageUrl, ...fields } = read
  const { sku: _, imageUrl: _1, ...kept } = variant
  return { ...kept, ...fields, ...(sku !== null && { sku }), ...(imageUrl !== null && { imageUrl }) }
}
