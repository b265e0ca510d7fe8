import type { Tone } from '../design/controls.tsx'
import { Badge } from '../design/controls.tsx'
import { text } from './text.ts'
import type { texts } from './texts/en.ts'

type StatusName = keyof typeof texts extends infer Key ? (Key extends `status.${infer Name}` ? Name : never) : never

const tones: Readonly<Partial<Record<StatusName, Tone>>> = {
  succeeded: 'good',
  paid: 'good',
  active: 'good',
  won: 'good',
  approved: 'good',
  enabled: 'good',
  delivered: 'good',
  authorized: 'wait',
  processing: 'wait',
  pending: 'wait',
  invited: 'wait',
  open: 'wait',
  requires_action: 'wait',
  trialing: 'wait',
  past_due: 'bad',
  unpaid: 'bad',
  declined: 'bad',
  failed: 'bad',
  lost: 'bad',
}

/** The status of anything, in the reader's words and with the colour of what it asks for. */
export function Status({ of: status }: { of: string }) {
  const name = status as StatusName // One that has no words yet is shown as the contract has it.
  const words = text(`status.${name}`)
  return <Badge tone={tones[name] ?? 'calm'}>{words === `status.${name}` ? status.replaceAll('_', ' ') : words}</Badge>
}
