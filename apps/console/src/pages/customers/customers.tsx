import type { ListEntry } from '../../api/client.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { customerName } from '../../objects/names.tsx'
import { text } from './text.ts'

const columns = (): readonly Column<ListEntry<'customers.list'>>[] => [
  { title: text('customer'), cell: customerName },
  { title: text('name'), rank: 2, cell: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() },
  { title: text('id'), rank: 3, cell: ({ id }) => <code>{id}</code> },
  { title: text('created'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of customers. */
export function Customers() {
  return (
    <ListPage
      list="customers.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/customers/${id}`}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright customers create --help" />
        </Empty>
      }
    />
  )
}
