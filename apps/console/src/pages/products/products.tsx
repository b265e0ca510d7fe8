import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Badge, Copy, Dialog, Input, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { Check, StoreSelect } from '../../forms/fields.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { Status } from '../../shell/status.tsx'
import { amountsOf, defaultPrice, likePrice, PriceFields, type ProductDetails, readPrice } from './prices.tsx'
import { text } from './text.ts'

const columns = (): readonly Column<ListEntry<'products.list'>>[] => [
  { title: text('name'), cell: ({ name }) => name },
  { title: text('price'), cell: priceCell },
  { title: text('status'), isNarrow: true, rank: 2, cell: (product) => <SaleStatus of={product} /> },
  { title: text('product'), rank: 3, cell: ({ id }) => <code>{id}</code> },
  { title: text('created'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function priceCell(product: ProductDetails): string {
  const price = defaultPrice(product)
  return price === undefined ? '' : amountsOf(price)
}

/** Whether a product can be bought. */
export function SaleStatus({ of: { archived, active } }: { of: Pick<ProductDetails, 'archived' | 'active'> }) {
  if (archived) return <Status of="archived" />
  return <Badge tone={active ? 'good' : 'calm'}>{text(active ? 'onSale' : 'notOnSale')}</Badge>
}

/** The list of products. */
export function Products() {
  return (
    <ListPage
      list="products.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/products/${id}`}
      create={{ operation: 'products.create', label: text('new'), form: NewProduct }}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright products create --help" />
        </Empty>
      }
    />
  )
}

function NewProduct({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const [storeId, setStore] = useState('')
  const [name, setName] = useState('')
  const [variant, setVariant] = useState(text('plain'))
  const [price, setPrice] = useState(() => likePrice(undefined))
  const [isShippable, setShippable] = useState(false)
  const terms = readPrice(price)
  const change = useChange(
    async (input: Parameters<typeof api.products.create>[0], options) => {
      const { productId } = await api.products.create(input, options)
      route(`/console/products/${productId}`)
    },
    ['products.'],
  )
  const isReady = storeId !== '' && name.trim() !== '' && variant.trim() !== '' && terms !== null
  const run = () => {
    if (terms !== null) void change.run({ storeId, name, isShippable, variants: [{ name: variant, prices: [terms] }] })
  }
  return (
    <Dialog title={text('new')} onClose={onClose}>
      <StoreSelect value={storeId} onValue={setStore} />
      <Input label={text('name')} maxLength={255} required value={name} onValue={setName} />
      <Input
        label={text('variantName')}
        hint={text('variantHint')}
        maxLength={255}
        required
        value={variant}
        onValue={setVariant}
      />
      <PriceFields value={price} onValue={setPrice} />
      <Check label={text('isShippable')} isChecked={isShippable} onChange={setShippable} />
      <Decision change={change} label={text('new')} kind="main" disabled={!isReady} onClose={onClose} run={run} />
    </Dialog>
  )
}
