import type { Parts } from '../../call.ts'
import type { ResultReceiver } from './receive-result.ts'
import { recordMessages } from './transcript.ts'

/** Puts the result that decides on the transcript of its session, with its answer. */
export function recordResult({ clock }: Pick<Parts, 'clock'>): ResultReceiver['alongside'] {
  return (rreq, answer, { accountId, externalSessionId: transactionId }) =>
    recordMessages(
      [
        { from: 'directory', to: 'server', type: rreq.messageType, message: rreq },
        { from: 'server', to: 'directory', type: answer.messageType, message: answer },
      ],
      { accountId, transactionId, nowMs: clock.now() },
    )
}
