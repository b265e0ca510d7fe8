import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead } from '../../api/query.ts'
import { Badge, Copy, Time, type Tone } from '../../design/controls.tsx'
import { Facts } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { useMay } from '../../shell/session.ts'
import { text } from './text.ts'

type Session = ResponseOf<Contract['threeds']['get']>
type Message = Session['transcript'][number]

/** How the buyer was authenticated with 3-D Secure. */
export function Authentication({ sessionId }: { sessionId: string }) {
  const isAllowed = useMay()('threeds.get')
  const read = useRead('threeds.get', isAllowed ? { sessionId } : null)
  if (!isAllowed) return <Copy value={sessionId} />
  return (
    <div class="details">
      <Loaded read={read}>{(session) => <SessionFacts session={session} />}</Loaded>
    </div>
  )
}

const tones: Readonly<Record<Session['outcome'], Tone>> = {
  authenticated: 'good',
  attempted: 'good',
  informational: 'calm',
  pending: 'wait',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'bad',
  timed_out: 'bad',
  unavailable: 'bad',
}

function SessionFacts({ session }: { session: Session }) {
  const { transcript, transStatus, eci, liabilityShifted, dsTransactionId, acsTransactionId } = session
  const last = transcript.at(-1)
  return (
    <>
      <Facts
        of={[
          [text('outcome'), <Badge tone={tones[session.outcome]}>{text(`outcome.${session.outcome}`)}</Badge>],
          [text('transStatus'), transStatus && `${transStatus}: ${text(`trans.${transStatus}`)}`],
          [text('transReason'), reasonOf(session.transStatusReason)],
          [text('how'), howOf(session)],
          [text('methodPage'), transcript.length === 0 ? null : text(isMethodRun(transcript) ? 'yes' : 'no')],
          [text('version'), versionOf(transcript)],
          [text('eci'), eci],
          [text('liability'), transStatus && text(liabilityShifted ? 'liability.issuer' : 'liability.merchant')],
          [text('provider'), session.provider],
          [text('started'), <Time at={session.createdAt} />],
          [text('lastMessage'), last === undefined ? null : <Time at={last.at} />],
          [text('session'), <Copy value={session.id} />],
          [text('serverId'), <Copy value={session.externalSessionId} />],
          [text('directoryId'), dsTransactionId && <Copy value={dsTransactionId} />],
          [text('issuerId'), acsTransactionId && <Copy value={acsTransactionId} />],
        ]}
      />
      {transcript.length > 0 && <Messages of={transcript} />}
    </>
  )
}

/** All messages in their order; what each says is behind it. */
function Messages({ of: messages }: { of: Session['transcript'] }) {
  return (
    <details>
      <summary>{text('messages', { count: messages.length })}</summary>
      <ol class="messages">
        {messages.map((each) => (
          <li key={each.position}>
            <details>
              <summary>
                <code>{each.type}</code> {meaningOf(each.type)}: {text(`party.${each.from}`)} →{' '}
                {text(`party.${each.to}`)} <Time at={each.at} />
              </summary>
              <pre class="code" tabIndex={0}>
                {typeof each.message === 'string' ? each.message : JSON.stringify(each.message, null, 2)}
              </pre>
            </details>
          </li>
        ))}
      </ol>
    </details>
  )
}

const meanings = ['AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes', 'Method'] as const

function meaningOf(type: string): string {
  const known = meanings.find((each) => each === type)
  return known === undefined ? '' : text(`message.${known}`)
}

const reasons = ['01', '05', '06', '08', '10', '11', '12', '13', '14', '22'] as const

/** A reason of EMV 3DS by its number, with words for the frequent ones. */
function reasonOf(code: string | null): string | null {
  const known = reasons.find((each) => each === code)
  return known === undefined ? code : `${known}: ${text(`reason.${known}`)}`
}

/** Whether the issuer asked the buyer for anything; `null` where the messages do not tell. */
function howOf({ transcript, challengeCancel, outcome }: Session): string | null {
  const answer = transcript.find(({ type }) => type === 'ARes')
  const isAsked = transcript.some(({ type }) => type === 'CReq') || challengeCancel !== null
  const status = answer === undefined ? undefined : fieldOf(answer, 'transStatus')
  if (isAsked || status === 'C') return text('how.challenge')
  if (status === 'D') return text('how.decoupled')
  return status === undefined || outcome === 'pending' ? null : text('how.frictionless')
}

function isMethodRun(transcript: readonly Message[]): boolean {
  return transcript.some(({ type }) => type === 'Method')
}

function versionOf(transcript: readonly Message[]): string | null {
  return transcript.map((each) => fieldOf(each, 'messageVersion')).findLast((version) => version !== undefined) ?? null
}

function fieldOf({ message }: Message, name: string): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const value = new Map<string, unknown>(Object.entries(message)).get(name)
  return typeof value === 'string' ? value : undefined
}
