import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { ListEntry } from '../../../api/client.ts'
import { AGAIN_MS } from '../../../api/query.ts'
import { Badge, Button, Copy, Dialog, Input, Time } from '../../../design/controls.tsx'
import { Empty } from '../../../design/states.tsx'
import type { Column } from '../../../lists/columns.tsx'
import { ListPage } from '../../../lists/list-page.tsx'
import { text as shared } from '../../../shell/text.ts'
import { text } from './text.ts'
import './requests.css'

type FailedRequest = ListEntry<'requests.list'>

const columns = (): readonly Column<FailedRequest>[] => [
  { title: text('operation'), cell: ({ operation }) => operation },
  { title: text('error'), cell: ({ code }) => <code>{code}</code> },
  { title: text('status'), rank: 2, cell: ({ status }) => <Status of={status} /> },
  { title: text('by'), rank: 3, cell: ({ actor }) => actor.name ?? actor.id },
  { title: text('time'), isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The status of an answer: what the caller can put right, and what the platform has to. */
export function Status({ of: status }: { of: number }) {
  return <Badge tone={status >= 500 ? 'bad' : 'wait'}>{status}</Badge>
}

/** Requests that were refused or failed, and a request by its id. */
export function Requests() {
  const [isLooking, setLooking] = useState(false)
  return (
    <>
      <ListPage
        list="requests.list"
        again={AGAIN_MS}
        title={shared('page.requests')}
        columns={columns()}
        pathOf={({ id }) => `/requests/${id}`}
        actions={
          <Button kind="main" icon="search" onClick={() => setLooking(true)}>
            {text('lookUp')}
          </Button>
        }
        empty={
          <Empty title={text('none')}>
            <p>{text('noneHint')}</p>
            <Copy value="tillwright requests list" />
          </Empty>
        }
      />
      {isLooking && <LookUp onClose={() => setLooking(false)} />}
    </>
  )
}

/** Goes to a request by the id that its caller has. */
function LookUp({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const [typed, setTyped] = useState('')
  // People paste the line of a log, or a whole answer.
  const id = /req_[0-9A-Za-z]{22}/.exec(typed)?.[0]
  const go = (event: SubmitEvent) => {
    event.preventDefault()
    if (id !== undefined) route(`/console/requests/${id}`)
  }
  return (
    <Dialog title={text('lookUp')} onClose={onClose}>
      <form onSubmit={go}>
        <Input
          label={text('requestId')}
          hint={text('requestIdHint')}
          placeholder="req_"
          value={typed}
          onValue={setTyped}
          wrong={typed.trim() !== '' && id === undefined ? text('noRequestId') : undefined}
        />
        <div class="actions">
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button kind="main" type="submit" disabled={id === undefined}>
            {text('show')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
