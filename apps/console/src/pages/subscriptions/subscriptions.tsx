import type { ListEntry } from '../../api/client.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Payer } from '../../objects/payers.tsx'
import { Status } from '../../shell/status.tsx'
import { priceOf } from './price.ts'
import { text } from './text.ts'

const columns = (): readonly Column<ListEntry<'subscriptions.list'>>[] => [
  { title: text('subscription'), cell: ({ name }) => name },
  { title: text('status'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
  { title: text('customer'), cell: ({ customerId }) => <Payer id={customerId} /> },
  { title: text('price'), rank: 2, cell: priceOf },
  {
    title: text('nextCharge'),
    isNarrow: true,
    rank: 2,
    cell: ({ nextPaymentAt, cancelAtPeriodEnd }) =>
      nextPaymentAt === null ? '' : cancelAtPeriodEnd ? text('ends') : <Time at={nextPaymentAt} />,
  },
  { title: text('id'), rank: 3, cell: ({ id }) => <code>{id}</code> },
]

/** The list of subscriptions. */
export function Subscriptions() {
  return (
    <ListPage
      list="subscriptions.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/subscriptions/${id}`}
      customerOf={({ customerId }) => customerId}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright products create --help" />
        </Empty>
      }
    />
  )
}
