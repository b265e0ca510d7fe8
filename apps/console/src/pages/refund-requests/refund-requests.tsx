import { useState } from 'preact/hooks'
import type { ListEntry } from '../../api/client.ts'
import { Button, Dialog, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { money } from '../../language/values.ts'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { RequestFacts, Verdict } from './verdict.tsx'
import { text } from './text.ts'

type Request = ListEntry<'refundRequests.list'>

/** Refunds that wait, or have waited, for a second person. */
export function RefundRequests() {
  const may = useMay()
  const [chosen, setChosen] = useState<Request | null>(null)
  const mayDecide = may('refundRequests.approve') || may('refundRequests.decline')
  const columns: readonly Column<Request>[] = [
    { title: text('amount'), isNarrow: true, cell: ({ amount, currency }) => money(amount, currency) },
    { title: text('status'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
    { title: text('requestedBy'), rank: 2, cell: ({ requestedByName, requestedBy }) => requestedByName ?? requestedBy },
    { title: text('reason'), rank: 3, cell: ({ reason }) => reason ?? '' },
    { title: text('expires'), rank: 2, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      title: text('decision'),
      cell: (each) =>
        each.status === 'pending' && mayDecide ? (
          <Button onClick={() => setChosen(each)}>{text('decide')}</Button>
        ) : (
          (each.decidedByName ?? '')
        ),
    },
  ]
  const close = () => setChosen(null)
  return (
    <>
      <ListPage
        list="refundRequests.list"
        title={text('title')}
        columns={columns}
        pathOf={({ id }) => `/refund-requests/${id}`}
        empty={
          <Empty title={text('empty')}>
            <p>{text('emptyHint')}</p>
          </Empty>
        }
      />
      {chosen !== null && (
        <Dialog title={text('refundOf', { amount: money(chosen.amount, chosen.currency) })} onClose={close}>
          <RequestFacts of={chosen} />
          <Verdict of={chosen} onDecided={close} />
        </Dialog>
      )}
    </>
  )
}
