import type { DeclineCode } from '@tillwright/contract'
import type { ComponentChildren } from 'preact'
import { Time } from '../../design/controls.tsx'
import { wordsOf } from '../../language/texts.ts'
import { money, percent } from '../../language/values.ts'
import { ProcessorName, useProcessorName } from '../../objects/names.tsx'
import { text as objects } from '../../objects/text.ts'
import { Status } from '../../shell/status.tsx'
import { Authentication } from './authentication.tsx'
import type { PaymentDetails } from './details.ts'
import { text } from './text.ts'

/** One thing that has happened to a payment. */
interface Moment {
  id: string
  at: string
  title: ComponentChildren
  status?: string
  details?: ComponentChildren
}

/** The history of a payment, oldest first. */
export function Timeline({ payment }: { payment: PaymentDetails }) {
  const moments = momentsOf(payment).toSorted((a, b) => a.at.localeCompare(b.at))
  return (
    <section class="card">
      <header>
        <h2>{text('timeline')}</h2>
      </header>
      <ol class="timeline inside">
        {moments.map(({ id, at, title, status, details }) => (
          <li key={id}>
            <div class="what">
              <strong>{title}</strong>
              {status !== undefined && <Status of={status} />}
              <Time at={at} />
            </div>
            {details}
          </li>
        ))}
        {payment.routing.stopped !== null && <li>{text(`stop.${payment.routing.stopped}`)}</li>}
      </ol>
    </section>
  )
}

function momentsOf(payment: PaymentDetails): Moment[] {
  const { currency } = payment
  return [
    { id: payment.id, at: payment.createdAt, title: text('requested'), details: <Checks payment={payment} /> },
    ...(payment.threedsSessionId === null
      ? []
      : [
          {
            id: payment.threedsSessionId,
            at: payment.createdAt,
            title: text('threeds'),
            details: <Authentication sessionId={payment.threedsSessionId} />,
          },
        ]),
    ...payment.attempts.map((attempt) => ({
      id: attempt.id,
      at: attempt.createdAt,
      title: <AttemptTitle processorId={attempt.processorId} />,
      status: attempt.status,
      details: <Routing attempt={attempt} />,
    })),
    ...payment.captures.map(({ id, createdAt: at, amount, status, ...outcome }) => ({
      id,
      at,
      title: text('captureOf', { amount: money(amount, currency) }),
      status,
      details: <NotDone of="capture" {...outcome} />,
    })),
    ...payment.refunds.map(({ id, createdAt: at, amount, status, reason, ...outcome }) => ({
      id,
      at,
      title: text('refundOf', { amount: money(amount, currency) }),
      status,
      details: (
        <>
          {reason && <p>{reason}</p>}
          <NotDone of="refund" {...outcome} />
        </>
      ),
    })),
    ...payment.disputes.map(({ id, createdAt: at, amount, status }) => ({
      id,
      at,
      title: <a href={`/console/disputes/${id}`}>{text('disputeOf', { amount: money(amount, currency) })}</a>,
      status,
    })),
  ]
}

type Outcome = Pick<PaymentDetails['refunds'][number], 'failure' | 'finishedAt'>

/** Why a capture or a refund came to nothing; and since when, where it had succeeded. */
function NotDone({ of: kind, failure, finishedAt }: Outcome & { of: 'capture' | 'refund' }) {
  if (failure === null || finishedAt === null) return null
  if (failure !== 'reversed') return <p>{text(`failure.${failure}`)}</p>
  return (
    <p>
      {text(`reversed.${kind}`)} <Time at={finishedAt} />
    </p>
  )
}

/** Findings of the payment flow before any processor was tried. */
function Checks({ payment: { routing, preview } }: { payment: PaymentDetails }) {
  return (
    <div class="details">
      {preview !== null && <p>{text('preview')}</p>}
      {routing.overLimits.map((limit) => (
        <p key={limit}>{text(`over.${limit}`)}</p>
      ))}
      {routing.challengeMandated && <p>{text('challengeMandated')}</p>}
      {routing.sca !== null && <Exemptions sca={routing.sca} />}
    </div>
  )
}

/** The exemption from authentication that was asked for, and why each other one was not. */
function Exemptions({ sca }: { sca: NonNullable<PaymentDetails['routing']['sca']> }) {
  const { asked, requestedIn, result, scope, considered } = sca
  return (
    <>
      {asked === null || requestedIn === null ? (
        <p>{text(`exemption.${scope}`)}</p>
      ) : (
        <p>
          {text(`exemption.in.${requestedIn}`, { exemption: objects(`exemption.${asked}`) })}
          {result !== null && ` ${text(`exemption.${result}`)}`}
        </p>
      )}
      {considered.length > 0 && (
        <ul>
          {considered.map(({ exemption, article, reason }) => (
            <li key={exemption}>
              {text('exemption.considered', {
                exemption: objects(`exemption.${exemption}`),
                article: String(article),
                reason: text(`exemption.${reason}`),
              })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function AttemptTitle({ processorId }: { processorId: string }) {
  return <>{text('attempt', { processor: useProcessorName(processorId) })}</>
}

/** Why a processor was tried, and what it answered. */
function Routing({ attempt }: { attempt: PaymentDetails['attempts'][number] }) {
  const { decision, declineCode, networkTransactionId } = attempt
  const { candidates, dropped, pool, sticky, sca } = decision
  return (
    <div class="details">
      {declineCode !== null && <p>{text('declinedFor', { reason: declineWords(declineCode) })}</p>}
      <p>
        {sticky === 'kept'
          ? text('sticky')
          : candidates.length === 1
            ? text('attemptOnly')
            : text('attemptOf', { count: candidates.length })}{' '}
        {pool === 'fallback' && text('fallback')}
      </p>
      {sticky !== 'kept' && candidates.length > 1 && <Candidates of={candidates} />}
      {dropped.map((each) => (
        <Dropped key={each.processorId} {...each} />
      ))}
      {sca !== null && <Exemptions sca={sca} />}
      {networkTransactionId !== null && <p>{text('networkId', { id: networkTransactionId })}</p>}
    </div>
  )
}

/** The contract lets processors have codes of their own, which speak for themselves. */
function declineWords(code: string): string {
  // Not all codes are the contract's: `wordsOf` says those that have no text as they are.
  const key = `decline.${code as DeclineCode}` as const
  return wordsOf(text, key, code.replaceAll('_', ' '))
}

/** The processors among which was drawn, each with its chance. */
function Candidates({ of: candidates }: { of: PaymentDetails['attempts'][number]['decision']['candidates'] }) {
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <ul>
      {candidates.map(({ processorId, weight }) => (
        <li key={processorId}>
          <ProcessorName id={processorId} /> {percent(total === 0 ? 0 : weight / total)}
        </li>
      ))}
    </ul>
  )
}

function Dropped({ processorId, reason }: PaymentDetails['attempts'][number]['decision']['dropped'][number]) {
  return <p>{text('dropped', { processor: useProcessorName(processorId), reason: text(`drop.${reason}`) })}</p>
}
