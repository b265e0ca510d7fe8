import { Copy, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import type { ListEntry } from '../../api/client.ts'
import { Payer } from '../../objects/payers.tsx'
import { paymentTitle } from '../../shell/titles.ts'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'

const columns = (): readonly Column<ListEntry<'payments.list'>>[] => [
  { title: text('amount'), isNarrow: true, cell: paymentTitle },
  { title: text('status'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
  { title: text('customer'), cell: ({ customerId }) => <Payer id={customerId} /> },
  { title: text('payment'), rank: 3, cell: ({ id }) => <code>{id}</code> },
  { title: text('created'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of payments. */
export function Payments() {
  return (
    <ListPage
      list="payments.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/payments/${id}`}
      customerOf={({ customerId }) => customerId}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value={`tillwright payments create --help`} />
        </Empty>
      }
    />
  )
}
