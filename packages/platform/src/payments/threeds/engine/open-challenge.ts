import { checkMessage, erroOf, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { findByAcsId, type AcsTransaction } from './acs-transaction.ts'
import { opened } from './challenge-steps.ts'
import type { Delivery } from './deliver-result.ts'
import { moveChallenge } from './move-challenge.ts'

/** What a browser posts to begin a challenge: base64url of a CReq, and what the shop wants back. */
export interface PostedCreq {
  creq: string
  threeDSSessionData: string | null
}

/** The challenge that a browser has come for, or why there is none. */
export type Opened = { outcome: 'opened'; transaction: AcsTransaction } | { outcome: 'refused'; erro: EmvMessage }

/** Begins the challenge that a CReq asks for, or shows it once more: after a reload, or in another tab. */
export async function openChallenge(posted: PostedCreq, delivery: Delivery): Promise<Opened> {
  const text = Buffer.from(posted.creq, 'base64url').toString()
  const checked = checkMessage(text, { types: ['CReq'], component: 'A' })
  if (checked.outcome === 'error') return { outcome: 'refused', erro: checked.erro }
  const creq = checked.message
  const acsTransactionId = requiredText(creq, 'acsTransID')
  const known = await findByAcsId(acsTransactionId, delivery.parts.db)
  const fault = faultOf(creq, known)
  if (fault !== null) return { outcome: 'refused', erro: erroOf({ ...fault, component: 'A', about: creq }) }
  const transaction = await moveChallenge(
    acsTransactionId,
    {
      step: (before, nowMs) => opened(before, posted.threeDSSessionData, nowMs),
      messages: [{ from: 'browser', to: 'issuer', type: 'CReq', message: creq }],
    },
    delivery,
  )
  if (transaction === null) throw new Error(`The authentication ${acsTransactionId} has vanished.`)
  return { outcome: 'opened', transaction }
}

function faultOf(creq: EmvMessage, known: AcsTransaction | null) {
  if (known === null) return { code: '301', detail: 'acsTransID' } as const
  if (known.transactionId !== textOf(creq, 'threeDSServerTransID')) {
    return { code: '301', detail: 'threeDSServerTransID' } as const
  }
  if (known.ares['transStatus'] !== 'C') return { code: '305', detail: 'There is nothing to be challenged.' } as const
  return known.areq.messageVersion === creq.messageVersion ? null : ({ code: '203', detail: 'messageVersion' } as const)
}
