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

/** How long is left to answer an open dispute, and until when on hover; nothing where no answer is waited for. */
export function TimeLeft({ dispute: { status, respondBy } }: { dispute: Pick<Dispute, 'status' | 'respondBy'> }) {
  if (status !== 'open' || respondBy === null) return null
  const leftMs = Date.parse(respondBy) - Date.now()
  return (
    <time dateTime={respondBy} title={exactTime(respondBy)}>
      <Badge tone={leftMs < SOON_MS ? 'bad' : 'wait'}>
        {leftMs > 0 ? text('left', { time: duration(leftMs) }) : text('over')}
      </Badge>
    </time>
  )
}
