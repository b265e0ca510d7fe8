import type { Contract, ResponseOf } from '@tillwright/contract'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Button, Time } from '../../design/controls.tsx'
import { Facts } from '../../design/section.tsx'
import { NotMade } from '../../forms/decision.tsx'
import { money } from '../../language/values.ts'
import { useMay, useSession } from '../../shell/session.ts'
import { text } from './text.ts'
import './refund-requests.css'

/** A refund that waits for a second person, as the API answers it. */
export type RequestDetails = ResponseOf<Contract['refundRequests']['get']>

/** Operations whose results a decision makes stale. */
const AFFECTED = ['refundRequests.', 'payments.', 'orders.', 'refunds.']

/** The facts of a refund request: its amount and reason, who asked for it, and who decided. */
export function RequestFacts({ of: request }: { of: RequestDetails }) {
  const { paymentId, refundId, requestedBy, requestedByName, decidedBy, decidedByName } = request
  return (
    <Facts
      of={[
        [text('payment'), <a href={`/console/payments/${paymentId}`}>{paymentId}</a>],
        [text('amount'), money(request.amount, request.currency)],
        [text('reason'), request.reason],
        [text('requestedBy'), requestedByName ?? requestedBy],
        [text('requested'), <Time at={request.createdAt} />],
        [text('expires'), request.status === 'pending' ? <Time at={request.expiresAt} /> : null],
        [text('decidedBy'), decidedByName ?? decidedBy],
        [text('decided'), request.decidedAt && <Time at={request.decidedAt} />],
        [text('refund'), refundId && <code>{refundId}</code>],
      ]}
    />
  )
}

/** Approves or declines a pending request; members cannot approve their own, and the page says so. */
export function Verdict({ of: request, onDecided }: { of: RequestDetails; onDecided: () => void }) {
  const { id: refundRequestId, amount, currency, requestedBy } = request
  const may = useMay()
  const isOwn = useSession().member.id === requestedBy
  const change = useChange(async (decision: 'approve' | 'decline', options) => {
    await api.refundRequests[decision]({ refundRequestId }, options)
    onDecided()
  }, AFFECTED)
  if (!may('refundRequests.approve') && !may('refundRequests.decline')) {
    return <p class="hint">{request.approval}</p>
  }
  return (
    <div class="verdict">
      <p class={isOwn ? 'remark' : ''}>{isOwn ? text('own') : text('effect', { amount: money(amount, currency) })}</p>
      <NotMade change={change} />
      <div class="actions">
        {may('refundRequests.decline') && (
          <Button isBusy={change.isRunning} onClick={() => void change.run('decline')}>
            {text(isOwn ? 'takeBack' : 'decline')}
          </Button>
        )}
        {may('refundRequests.approve') && !isOwn && (
          <Button kind="danger" isBusy={change.isRunning} onClick={() => void change.run('approve')}>
            {text('approve', { amount: money(amount, currency) })}
          </Button>
        )}
      </div>
    </div>
  )
}
