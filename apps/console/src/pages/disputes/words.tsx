import type { Contract, ResponseOf } from '@tillwright/contract'
import { Badge } from '../../design/controls.tsx'
import { duration } from '../../language/measures.ts'
import { wordsOf } from '../../language/texts.ts'
import { exactTime } from '../../language/values.ts'
import { text } from './text.ts'
import type { texts } from './texts/en.ts'

type Dispute = ResponseOf<Contract['disputes']['get']>
type Reason = keyof typeof texts extends infer Key ? (Key extends `reason.${infer Name}` ? Name : never) : never

/** From when on there is little time left to answer. */
const SOON_MS = 3 * 86_400_000

/** Why the buyer disputes. A processor may have reasons that have no words here. */
export function reasonWords({ reason }: Pick<Dispute, 'reason'>): string {
  return wordsOf(text, `reason.${reason as Reason}`, reason.replaceAll('_', ' '))
}

type Waiting = Pick<Dispute, 'status' | 'respondBy' | 'evidenceSubmittedAt'>

/** How long is left to answer an open dispute, and until when on hover, or that it was answered; nothing for one that is decided. */
export function TimeLeft({ dispute: { status, respondBy, evidenceSubmittedAt } }: { dispute: Waiting }) {
  if (status !== 'open') return null
  if (evidenceSubmittedAt !== null) return <Badge tone="calm">{text('answered')}</Badge>
  if (respondBy === null) return null
  const leftMs = Date.parse(respondBy) - Date.now()
  return (
    <time dateTime={respondBy} title={exactTime(respondBy)}>
      <Badge tone={leftMs < SOON_MS ? 'bad' : 'wait'}>
        {leftMs > 0 ? text('left', { time: duration(leftMs) }) : text('over')}
      </Badge>
    </time>
  )
}
