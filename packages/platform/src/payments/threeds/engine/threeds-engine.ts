import { erroOf, isUuid, type EmvMessage } from '@tillwright/emv-3ds'
import type { Parts } from '../../../call.ts'
import { recordMessages } from '../transcript.ts'
import type { AcsTransaction } from './acs-transaction.ts'
import { answerAreq, type SentAreq } from './answer-areq.ts'
import { answerPreq, methodUrlOf } from './card-ranges.ts'
import { answered, cancelled, lapsed } from './challenge-steps.ts'
import type { Step } from './change-transaction.ts'
import { arrange, type Controlled } from './controls.ts'
import { cresForm } from './cres-form.ts'
import type { SendResult } from './deliver-result.ts'
import { readMethodData } from './method-data.ts'
import { moveChallenge } from './move-challenge.ts'
import { openChallenge, type PostedCreq } from './open-challenge.ts'
import type { AcsPage } from './pages/acs-page.ts'
import { appPage } from './pages/app-page.ts'
import { codePage } from './pages/code-page.ts'
import { leavingPage, stayingPage } from './pages/leaving-page.ts'
import type { Control } from './scenario.ts'

/** What the engine is made of. */
export interface EngineParts {
  parts: Pick<Parts, 'db' | 'clock' | 'log'>
  /** Where the pages of the simulated bank are: an origin other than the vault's, and the path before them. */
  acsUrl: string
  sendResult: SendResult
  /** Aborted when the platform stops. */
  stopping: AbortSignal
}

/** What a buyer does on a page of the bank. */
export interface BuyersAnswer {
  acsTransactionId: string
  action: 'confirm' | 'again' | 'cancel'
  code: string
}

/** A page of the bank, or the Erro for a browser that came with something wrong. */
export type Shown = { outcome: 'page'; page: AcsPage } | { outcome: 'refused'; erro: EmvMessage }

/**
 * The built-in directory server and issuer of EMV 3DS 2.1.0 and 2.2.0. It needs no network, remembers what it does in
 * the database, and authenticates nobody: it is for `local` and `development`.
 */
export interface ThreedsEngine {
  /** Answers a PReq as JSON with a PRes, or an Erro. */
  answerPreq(preq: string): EmvMessage
  /** Answers an AReq with an ARes or an Erro, as JSON. */
  answerAreq(sent: SentAreq): Promise<string>
  /** The method page of a card's issuer, `null` when it has none. */
  methodUrl(cardNumber: string): string | null
  /** The method page for what a browser has posted (`threeDSMethodData`). */
  methodPage(posted: string): Promise<AcsPage>
  /** The page that a challenge begins with, or has come to. */
  openChallenge(posted: PostedCreq): Promise<Shown>
  /** The page that follows what a buyer has done. */
  answerChallenge(answer: BuyersAnswer): Promise<Shown>
  /** Whether a challenge has ended. */
  hasEnded(acsTransactionId: string): Promise<boolean>
  /** Arranges what comes of the next authentication. */
  control(next: Control, controlled: Controlled): Promise<void>
}

/** Builds the engine. What happens by itself is done by `startChallenges`. */
export function threedsEngine(engine: EngineParts): ThreedsEngine {
  const { parts, acsUrl } = engine
  const methodUrl = `${acsUrl}/method`
  const challengeUrl = `${acsUrl}/challenge`
  return {
    answerPreq: (preq) => answerPreq(preq, methodUrl),
    answerAreq: (sent) => answerAreq(sent, { ...engine, challengeUrl }),
    methodUrl: (cardNumber) => methodUrlOf(cardNumber, methodUrl),
    async methodPage(posted) {
      const end = await readMethodData(posted, parts)
      if (end === null) return stayingPage()
      return leavingPage({ target: end.notificationUrl, fields: { threeDSMethodData: end.data }, afterMs: end.afterMs })
    },
    async openChallenge(posted) {
      const opened = await openChallenge(posted, engine)
      if (opened.outcome === 'refused') return opened
      return { outcome: 'page', page: await pageOf(opened.transaction, engine) }
    },
    async answerChallenge(answer) {
      const { acsTransactionId } = answer
      const known = isUuid(acsTransactionId)
        ? await moveChallenge(acsTransactionId, { step: stepOf(answer) }, engine)
        : null
      if (known?.opened === true) return { outcome: 'page', page: await pageOf(known, engine) }
      return { outcome: 'refused', erro: erroOf({ code: '301', detail: 'acsTransID', component: 'A', about: {} }) }
    },
    async hasEnded(acsTransactionId) {
      if (!isUuid(acsTransactionId)) return false
      const moved = await moveChallenge(acsTransactionId, { step: lapsed }, engine)
      return moved !== null && moved.result !== null
    },
    async control(next, controlled) {
      await parts.db.write([arrange(next, controlled)])
    },
  }
}

/** A challenge in the bank's app is answered there: the button of its page only looks whether it has been. */
function stepOf({ action, code }: BuyersAnswer): Step {
  return (transaction, nowMs) => {
    if (!transaction.opened) return transaction
    if (action === 'cancel') return cancelled(transaction, nowMs)
    if (action === 'again') return transaction
    return transaction.scenario.challenge === 'oob' ? lapsed(transaction, nowMs) : answered(transaction, code, nowMs)
  }
}

async function pageOf(transaction: AcsTransaction, { acsUrl, parts }: EngineParts): Promise<AcsPage> {
  const answerUrl = `${acsUrl}/challenge/answer`
  if (transaction.result === null) {
    if (transaction.scenario.challenge !== 'oob') return codePage(transaction, answerUrl)
    return appPage(transaction, { answerUrl, stateUrl: `${acsUrl}/challenge/${transaction.acsTransactionId}/state` })
  }
  const form = cresForm(transaction)
  if (form === null) return stayingPage()
  const message = { from: 'issuer', to: 'browser', type: 'CRes', message: form.sent } as const
  await parts.db.write(recordMessages([message], { ...transaction, nowMs: parts.clock.now() }))
  const { cres, threeDSSessionData } = form
  const fields = { cres, ...(threeDSSessionData !== null && { threeDSSessionData }) }
  return leavingPage({ target: form.notificationUrl, fields, afterMs: 0 })
}
