import { requiredText } from '@tillwright/emv-3ds'
import { uuidOf } from '../../../ambient/uuid.ts'
import type { AcsTransaction } from './acs-transaction.ts'
import { drawn } from './drawn.ts'
import { cresOf } from './rreq-of.ts'

/** What the browser posts to the shop when a challenge has ended. */
export interface CresForm {
  /** Where to. */
  notificationUrl: string
  /** Base64url of a CRes, unless a fault has made something else of it. */
  cres: string
  /** What the shop wanted back. */
  threeDSSessionData: string | null
  /** The same before it was encoded: a CRes, or the text of what is none. */
  sent: unknown
}

/** The form that ends a challenge; `null` while it goes on, and when a fault has it end in nothing. */
export function cresForm(transaction: AcsTransaction): CresForm | null {
  const { areq, result, faults, sessionData, transactionId } = transaction
  if (result === null || faults.cres === 'never') return null
  const wentWell = result.transStatus === 'Y' || result.transStatus === 'A'
  const message = cresOf(transaction, faults.cres === 'contradicts' ? !wentWell : wentWell)
  const another = { ...message, threeDSServerTransID: uuidOf(drawn('another', transactionId)) }
  const told = faults.cres === 'wrong_transaction' ? another : message
  const isCut = faults.cres === 'malformed'
  const text = isCut ? JSON.stringify(told).slice(0, -1) : JSON.stringify(told)
  return {
    notificationUrl: requiredText(areq, 'notificationURL'),
    cres: Buffer.from(text).toString('base64url'),
    threeDSSessionData: sessionData,
    sent: isCut ? text : told,
  }
}
