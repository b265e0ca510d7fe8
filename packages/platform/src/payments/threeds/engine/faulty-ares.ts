import type { EmvMessage } from '@tillwright/emv-3ds'
import { uuidOf } from '../../../ambient/uuid.ts'
import { drawn } from './drawn.ts'
import { atHostilePlace } from './hostile-place.ts'
import type { Faults } from './scenario.ts'

/** An answer on its way. */
export interface OutgoingAres {
  text: string
  /** How long it is kept back. */
  afterMs: number
  /** What the transcript says was sent; nothing for an answer that nobody waits for any more. */
  recorded: readonly unknown[]
}

/** How late an answer is that is to be late. */
const LATE_MS = 5_000
/** How long an answer is kept back that is to be none: longer than anybody waits. */
const NEVER_MS = 300_000

/** What becomes of an answer by its faults; without one it goes out as it is. */
export function outgoingAres(
  proper: EmvMessage,
  transactionId: string,
  { ares: fault, acsUrl }: Pick<Faults, 'ares' | 'acsUrl'>,
): OutgoingAres {
  const ares = atHostilePlace(proper, acsUrl)
  const text = JSON.stringify(ares)
  switch (fault) {
    case undefined:
      return { text, afterMs: 0, recorded: [ares] }
    case 'late':
      return { text, afterMs: LATE_MS, recorded: [ares] }
    case 'timeout':
      return { text, afterMs: NEVER_MS, recorded: [] }
    case 'malformed': {
      const cut = text.slice(0, -1)
      return { text: cut, afterMs: 0, recorded: [cut] }
    }
    case 'wrong_transaction': {
      const other = { ...ares, threeDSServerTransID: uuidOf(drawn('another', transactionId)) }
      return { text: JSON.stringify(other), afterMs: 0, recorded: [other] }
    }
    case 'duplicate': {
      const twice = `{"transStatus":"Y",${text.slice(1)}`
      return { text: twice, afterMs: 0, recorded: [twice] }
    }
  }
}
