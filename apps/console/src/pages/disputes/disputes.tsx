import type { ListEntry } from '../../api/client.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { money } from '../../language/values.ts'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Payer } from '../../objects/payers.tsx'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'
import { reasonWords, TimeLeft } from './words.tsx'

const columns = (): readonly Column<ListEntry<'disputes.list'>>[] => [
  { title: text('amount'), isNarrow: true, cell: ({ amount, currency }) => money(amount, currency) },
  { title: text('status'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
  { title: text('customer'), rank: 2, cell: ({ customerId }) => <Payer id={customerId} /> },
  { title: text('reason'), rank: 2, cell: (dispute) => reasonWords(dispute) },
  { title: text('respondBy'), isNarrow: true, cell: (dispute) => <TimeLeft dispute={dispute} /> },
  { title: text('created'), isNarrow: true, rank: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of disputes. */
export function Disputes() {
  return (
    <ListPage
      list="disputes.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/disputes/${id}`}
      customerOf={({ customerId }) => customerId}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="4000 0000 0000 0259" />
        </Empty>
      }
    />
  )
}
