import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Copy, Dialog, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { StoreSelect } from '../../forms/fields.tsx'
import { count } from '../../language/values.ts'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { PromotionFields } from './fields.tsx'
import { text } from './text.ts'
import { newlyTyped, readPromotion } from './typed.ts'
import { discountOf, type PromotionDetails } from './words.ts'

const columns = (): readonly Column<ListEntry<'promotions.list'>>[] => [
  { title: text('name'), cell: ({ name }) => name },
  { title: text('code'), cell: ({ code }) => (code === null ? '' : <code>{code}</code>) },
  { title: text('discount'), rank: 2, cell: discountOf },
  { title: text('status'), isNarrow: true, rank: 3, cell: (promotion) => <PromotionStatus of={promotion} /> },
  { title: text('uses'), isNumber: true, isNarrow: true, rank: 3, cell: usesOf },
  { title: text('created'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** How often a promotion was used, and how often it may be. */
export function usesOf({ usageCount, usageLimit }: Pick<PromotionDetails, 'usageCount' | 'usageLimit'>): string {
  return usageLimit === null ? count(usageCount) : text('usesOf', { count: usageCount, limit: usageLimit })
}

/** Whether a promotion can be applied, its dates aside. */
export function PromotionStatus({ of: { archived, enabled } }: { of: Pick<PromotionDetails, 'archived' | 'enabled'> }) {
  return <Status of={archived ? 'archived' : enabled ? 'enabled' : 'disabled'} />
}

/** The address of a promotion. The API reads one by its store, so that it is there too. */
export function pathOf({ id, storeId }: Pick<PromotionDetails, 'id' | 'storeId'>): string {
  return `/promotions/${id}?storeId=${storeId}`
}

/** The list of promotions. */
export function Promotions() {
  const may = useMay()
  return (
    <ListPage
      list="promotions.list"
      title={text('title')}
      columns={columns()}
      pathOf={pathOf}
      actions={
        may('orders.quote') && (
          <a class="button" href="/console/promotions/try">
            {text('try')}
          </a>
        )
      }
      create={{ operation: 'promotions.create', label: text('new'), form: NewPromotion }}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright promotions create --help" />
        </Empty>
      }
    />
  )
}

function NewPromotion({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const [storeId, setStore] = useState('')
  const [typed, setTyped] = useState(newlyTyped)
  const read = readPromotion(typed)
  const change = useChange(
    async (input: Parameters<typeof api.promotions.create>[0], options) => {
      const promotion = await api.promotions.create(input, options)
      route(`/console${pathOf(promotion)}`)
    },
    ['promotions.'],
  )
  const run = () => {
    if (read !== null) void change.run({ storeId, ...read })
  }
  return (
    <Dialog title={text('new')} onClose={onClose}>
      <StoreSelect value={storeId} onValue={setStore} />
      <PromotionFields value={typed} onValue={setTyped} storeId={storeId} />
      <Decision
        change={change}
        label={text('new')}
        kind="main"
        disabled={storeId === '' || read === null}
        onClose={onClose}
        run={run}
      />
    </Dialog>
  )
}
