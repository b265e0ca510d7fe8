import type { InputOf } from '@tillwright/client'
import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Failure } from '../../design/states.tsx'
import { count, shortTime } from '../../language/values.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { text } from './text.ts'
import { type FlowDetails, type NamedProcessor, processorName } from './words.ts'

type FlowReplay = ResponseOf<Contract['paymentFlows']['replay']>
type Asked = InputOf<Contract['paymentFlows']['replay']>

interface ReplayProps {
  /** The draft; `null` while something in it is wrong. */
  draft: FlowDetails | null
  paymentFlowId: string
  processors: readonly NamedProcessor[]
}

/** Where the last payments would have gone by a draft, when it is asked for. */
export function Replay({ draft, paymentFlowId, processors }: ReplayProps) {
  const [done, setDone] = useState<{ asked: string; replay: FlowReplay } | null>(null)
  const change = useChange(
    async (asked: Asked) => setDone({ asked: JSON.stringify(asked), replay: await api.paymentFlows.replay(asked) }),
    [],
  )
  const asked: Asked | null = draft === null ? null : { paymentFlowId, flow: rulesOf(draft) }
  const isStale = done !== null && asked !== null && done.asked !== JSON.stringify(asked)
  return (
    <>
      <Section
        title={text('replay')}
        actions={
          <Button isBusy={change.isRunning} disabled={asked === null} onClick={() => asked && void change.run(asked)}>
            {text('replay.action')}
          </Button>
        }
      >
        <div class="stack" aria-live="polite">
          {change.failure !== null && <Failure failure={change.failure} />}
          {done === null ? (
            <p class="hint">{text('replay.hint')}</p>
          ) : (
            <>
              {isStale && <p class="remark">{text('replay.stale')}</p>}
              <Outcome replay={done.replay} processors={processors} />
            </>
          )}
        </div>
      </Section>
      {asked !== null && <ApiCall operation="paymentFlows.replay" input={asked} />}
    </>
  )
}

/** Routing rules of a flow, as the replay's request expects them. */
function rulesOf(flow: FlowDetails): Asked['flow'] {
  return {
    strategy: flow.strategy,
    pickProcessorStrategy: flow.pickProcessorStrategy,
    processorConfigs: flow.processorConfigs,
    fallbackProcessorConfigs: flow.fallbackProcessorConfigs,
    fallbackMode: flow.fallbackMode,
    maxFallbackRetries: flow.maxFallbackRetries,
    stickyProcessorEnabled: flow.stickyProcessorEnabled,
  }
}

function Outcome({ replay, processors }: { replay: FlowReplay; processors: readonly NamedProcessor[] }) {
  const { payments, moved, refused, moves, otherMoves, complete, createdFrom } = replay
  if (payments === 0) return <p>{text('replay.nothing')}</p>
  return (
    <>
      <p>
        <strong>{text('replay.moved', { count: moved, all: payments })}</strong>{' '}
        {refused > 0 && text('replay.refused', { count: refused })}
      </p>
      {!complete && createdFrom !== null && (
        <p class="hint">{text('replay.partial', { time: shortTime(createdFrom) })}</p>
      )}
      {moves.length > 0 && (
        <ul class="replayed">
          {moves.map((move) => (
            <Move key={JSON.stringify({ ...move, paymentIds: null })} move={move} processors={processors} />
          ))}
          {otherMoves > 0 && <li>{text('replay.otherMoves', { count: otherMoves })}</li>}
        </ul>
      )}
    </>
  )
}

interface MoveProps {
  move: FlowReplay['moves'][number]
  processors: readonly NamedProcessor[]
}

/** One way in which payments would have gone elsewhere; it opens to some of them. */
function Move({ move, processors }: MoveProps) {
  const { attempt, fromProcessorId, toProcessorId, currency, brand, payments, paymentIds } = move
  const nameOf = (id: string | null) => (id === null ? text('replay.none') : processorName(processors, id))
  const words = text(`replay.${attempt}`, { from: nameOf(fromProcessorId), to: nameOf(toProcessorId) })
  return (
    <li>
      <details>
        <summary>
          <span>{words}</span> <span class="soft">{`${currency} · ${brand}`}</span> <b>{count(payments)}</b>
        </summary>
        <ul>
          {paymentIds.map((id) => (
            <li key={id}>
              <a href={`/console/payments/${id}`}>{id}</a>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}
