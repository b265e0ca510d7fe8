import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiFailure, api } from '../../api/client.ts'
import { changed } from '../../api/query.ts'
import { Button, Dialog, Select } from '../../design/controls.tsx'
import { Failure } from '../../design/states.tsx'
import { TimeInput } from '../../forms/fields.tsx'
import { text as shared } from '../../shell/text.ts'
import { timeOfId } from '../../api/event-ids.ts'
import { text } from './text.ts'

interface Progress {
  replayed: number
  /** Of the period, from 0 to 1. */
  share: number
  isRunning: boolean
  failure: ApiFailure | null
}

const DAY_MS = 86_400_000

/** Sends the events of a period again, page by page, and shows how far it is. */
export function ReplayRange({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [from, setFrom] = useState(() => new Date(Date.now() - DAY_MS).toISOString())
  const [to, setTo] = useState(() => new Date(Date.now() + 60_000).toISOString())
  const [which, setWhich] = useState<'all' | 'failed'>('failed')
  const { progress, run } = useReplay(endpointId)
  const isWrong = from === '' || to === '' || from >= to
  return (
    <Dialog title={text('replay')} onClose={onClose}>
      <TimeInput label={text('from')} value={from} onValue={setFrom} />
      <TimeInput label={text('to')} wrong={isWrong ? text('toWrong') : undefined} value={to} onValue={setTo} />
      <Select
        label={text('which')}
        value={which}
        onValue={(value) => setWhich(value === 'all' ? 'all' : 'failed')}
        options={(['failed', 'all'] as const).map((value) => ({ value, name: text(`which.${value}`) }))}
      />
      <p>{text('replayEffect')}</p>
      {progress !== null && <Shown progress={progress} />}
      <div class="actions">
        <Button onClick={onClose}>{shared(progress === null ? 'cancel' : 'close')}</Button>
        <Button
          kind="main"
          disabled={isWrong}
          isBusy={progress?.isRunning === true}
          onClick={() => run({ from, to, which })}
        >
          {text('replay')}
        </Button>
      </div>
    </Dialog>
  )
}

function Shown({ progress: { replayed, share, isRunning, failure } }: { progress: Progress }) {
  return (
    <div class="field" role="status">
      <progress max={1} value={share} aria-label={text('replay')} />
      <p>{text(isRunning ? 'replaying' : 'replayed', { count: replayed })}</p>
      {failure !== null && <Failure failure={failure} />}
    </div>
  )
}

interface Range {
  from: string
  to: string
  which: 'all' | 'failed'
}

/** Leaving the dialog stops after the page under way; what was sent stays sent. What failed goes on from there. */
function useReplay(endpointId: string) {
  const [progress, setProgress] = useState<Progress | null>(null)
  const isLeft = useRef(false)
  const stopped = useRef<{ range: string; after: string | null; replayed: number } | null>(null)
  useEffect(() => () => void (isLeft.current = true), [])
  const run = async (range: Range) => {
    const shareOf = (after: string | null) => shareDone(range, after)
    const earlier = stopped.current?.range === JSON.stringify(range) ? stopped.current : null
    stopped.current = null
    let after = earlier?.after ?? null
    let sent: Progress = { replayed: earlier?.replayed ?? 0, share: shareOf(after), isRunning: true, failure: null }
    setProgress(sent)
    try {
      while (!isLeft.current) {
        const page = await api.webhookEndpoints.replayRange({ endpointId, ...range, ...(after !== null && { after }) })
        after = page.after
        const replayed = sent.replayed + page.replayed
        sent = { ...sent, replayed, share: page.hasMore ? shareOf(after) : 1, isRunning: page.hasMore }
        setProgress(sent)
        if (!page.hasMore) break
      }
      await changed('webhookEndpoints.')
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      stopped.current = { range: JSON.stringify(range), after, replayed: sent.replayed }
      setProgress({ ...sent, isRunning: false, failure: error })
    }
  }
  return { progress, run }
}

function shareDone({ from, to }: Range, after: string | null): number {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return after === null ? 0 : Math.min(1, Math.max(0, (timeOfId(after) - start) / (end - start)))
}
