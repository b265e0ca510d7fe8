import { checkMessage, type EmvMessage, requiredText } from '@tillwright/emv-3ds'
import { type KnownRanges, rangesAfter } from './card-ranges.ts'

/** A directory's answer to a question for card ranges. */
export interface RangesAnswer {
  /** As it came. */
  bytes: Uint8Array
  /** The question. */
  preq: EmvMessage
  /** The ranges known at the time of the request. */
  known: KnownRanges
}

/** The ranges known after an answer, or the error code that it comes to. */
export type RangesVerdict = { known: KnownRanges } | { errorCode: string }

/** Checks and reads an answer: all of its ranges at once, so that large answers are for a thread. */
export function readRangesAnswer({ bytes, preq, known }: RangesAnswer): RangesVerdict {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  const checked = checkMessage(text, { types: ['PRes', 'Erro'], to: preq })
  const answer = checked.outcome === 'valid' ? checked.message : checked.erro
  if (answer.messageType === 'PRes') return { known: rangesAfter(known, answer) }
  return { errorCode: requiredText(answer, 'errorCode') }
}
