import type { ListEntry } from '../../api/client.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Payer } from '../../objects/payers.tsx'
import { Status } from '../../shell/status.tsx'
import { orderTitle } from '../../shell/titles.ts'
import { text } from './text.ts'

type Order = ListEntry<'orders.list'>

const columns = (): readonly Column<Order>[] => [
  { title: text('amount'), isNarrow: true, cell: orderTitle },
  { title: text('status'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
  { title: text('items'), rank: 3, cell: itemsOf },
  { title: text('buyer'), cell: ({ buyer, customerId }) => buyer?.email || <Payer id={customerId} /> },
  { title: text('created'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of orders. */
export function Orders() {
  return (
    <ListPage
      list="orders.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/orders/${id}`}
      customerOf={({ customerId }) => customerId}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright payments create --help" />
        </Empty>
      }
    />
  )
}

/** Names and quantities of the order's lines, in one line of text. */
function itemsOf({ lines }: Order): string {
  return lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ') || '–'
}
