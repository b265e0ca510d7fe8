import type { ListEntry } from '../../api/client.ts'
import { Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { money } from '../../language/values.ts'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'

const columns = (): readonly Column<ListEntry<'refunds.list'>>[] => [
  { title: text('amount'), isNarrow: true, cell: ({ amount, currency }) => money(amount, currency) },
  { title: text('status'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
  {
    title: text('refund.reason'),
    rank: 2,
    cell: ({ reason, failure }) => (failure === null ? (reason ?? '') : text(`failure.${failure}`)),
  },
  { title: text('payment'), rank: 3, cell: ({ paymentId }) => <code>{paymentId}</code> },
  { title: text('created'), isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of refunds; each leads to its payment, whose timeline has it. */
export function Refunds() {
  return (
    <ListPage
      list="refunds.list"
      title={text('refunds.title')}
      columns={columns()}
      pathOf={({ paymentId }) => `/payments/${paymentId}`}
      empty={
        <Empty title={text('refunds.empty')}>
          <p>{text('refunds.emptyHint')}</p>
        </Empty>
      }
    />
  )
}
