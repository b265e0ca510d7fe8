import { type EmvMessage, erroOf, isUuid, textOf } from '@tillwright/emv-3ds'
import type { AcsTransaction, Step } from './bank/authentications.ts'
import { answerPreq, methodUrlOf } from './bank/card-ranges.ts'
import { answered, cancelled, lapsed, openChallenge, type PostedCreq } from './bank/challenge.ts'
import { answerAreq, type SentAreq } from './bank/directory-server.ts'
import { startChallenges } from './bank/due-challenges.ts'
import { readMethodData } from './bank/method-page.ts'
import { cresForm, moveChallenge } from './bank/results.ts'
import { arrange, type Control, type Controlled } from './bank/scenario.ts'
import type { BankPage } from './pages/bank-page.ts'
import { appPage, codePage, leavingPage, stayingPage } from './pages/challenge-pages.ts'
import type { BankDependencies } from './dependencies.ts'

/** A buyer's action on a page of the bank. */
export interface BuyersAnswer {
  acsTransactionId: string
  action: 'confirm' | 'again' | 'cancel'
  code: string
}

/** A page of the bank, or the Erro for an invalid request. */
export type Shown = { outcome: 'page'; page: BankPage } | { outcome: 'refused'; erro: EmvMessage }

/**
 * A Directory Server and an ACS for EMV 3DS 2.1.0 and 2.2.0. They need no network, keep their state in the database, and do
 * not authenticate real cardholders.
 */
export interface SimulatedBank {
  /** Answers a PReq with a PRes or an Erro, all as JSON. */
  answerPreq(preq: string): EmvMessage
  /** Answers an AReq with an ARes or an Erro, all as JSON. */
  answerAreq(sent: SentAreq): Promise<string>
  /** URL of the method page of a card's issuer, or `null` if it has none. */
  methodUrl(cardNumber: string): string | null
  /** The method page for the posted `threeDSMethodData`. */
  methodPage(posted: string): Promise<BankPage>
  /** The current page of a challenge. */
  openChallenge(posted: PostedCreq): Promise<Shown>
  /** The page that follows an action of the buyer. */
  answerChallenge(answer: BuyersAnswer): Promise<Shown>
  /** Whether a challenge has ended. */
  hasEnded(acsTransactionId: string): Promise<boolean>
  /** Arranges the outcome of the next authentication. */
  control(next: Control, controlled: Controlled): Promise<void>
  /** Ends pending delays and stops the background worker. Resolves once it has stopped. */
  stop(): Promise<void>
}

/** Opens the bank and starts its background worker. */
export function openBank(bank: BankDependencies): SimulatedBank {
  const { acsUrl, db } = bank
  const methodUrl = `${acsUrl}/method`
  const challengeUrl = `${acsUrl}/challenge`
  const stopping = new AbortController()
  const stopChallenges = startChallenges(bank)
  return {
    answerPreq: (preq) => answerPreq(preq, methodUrl),
    answerAreq: (sent) => answerAreq(sent, { ...bank, challengeUrl, stopping: stopping.signal }),
    methodUrl: (cardNumber) => methodUrlOf(cardNumber, methodUrl),
    async methodPage(posted) {
      const end = await readMethodData(posted, bank)
      if (end === null) return stayingPage('')
      const { notificationUrl: target, data: threeDSMethodData, afterMs } = end
      return leavingPage({ target, fields: { threeDSMethodData }, afterMs, browserLanguage: '' })
    },
    async openChallenge(posted) {
      const opened = await openChallenge(posted, bank)
      if (opened.outcome === 'refused') return opened
      return { outcome: 'page', page: await pageOf(opened.transaction, bank) }
    },
    async answerChallenge(answer) {
      const { acsTransactionId } = answer
      const known = isUuid(acsTransactionId)
        ? await moveChallenge(acsTransactionId, { step: stepOf(answer) }, bank)
        : null
      if (known?.opened === true) return { outcome: 'page', page: await pageOf(known, bank) }
      return { outcome: 'refused', erro: erroOf({ code: '301', detail: 'acsTransID', component: 'A', about: {} }) }
    },
    async hasEnded(acsTransactionId) {
      if (!isUuid(acsTransactionId)) return false
      const moved = await moveChallenge(acsTransactionId, { step: lapsed }, bank)
      return moved !== null && moved.result !== null
    },
    async control(next, controlled) {
      await db.write([arrange(next, controlled)])
    },
    stop() {
      stopping.abort()
      return stopChallenges()
    },
  }
}

/** The button of an app challenge answers nothing: it only checks whether the bank's app has been answered. */
function stepOf({ action, code }: BuyersAnswer): Step {
  return (transaction, nowMs) => {
    if (!transaction.opened) return transaction
    if (action === 'cancel') return cancelled(transaction, nowMs)
    if (action === 'again') return transaction
    return transaction.scenario.challenge === 'oob' ? lapsed(transaction, nowMs) : answered(transaction, code, nowMs)
  }
}

async function pageOf(transaction: AcsTransaction, { acsUrl, db, clock, server }: BankDependencies): Promise<BankPage> {
  const answerUrl = `${acsUrl}/challenge/answer`
  if (transaction.result === null) {
    if (transaction.scenario.challenge !== 'oob') return codePage(transaction, answerUrl)
    return appPage(transaction, { answerUrl, stateUrl: `${acsUrl}/challenge/${transaction.acsTransactionId}/state` })
  }
  const form = cresForm(transaction)
  const browserLanguage = textOf(transaction.areq, 'browserLanguage') ?? ''
  if (form === null) return stayingPage(browserLanguage)
  const message = { from: 'issuer', to: 'browser', type: 'CRes', message: form.sent } as const
  await db.write(server.recordMessages([message], { ...transaction, nowMs: clock.now() }))
  const { cres, threeDSSessionData } = form
  const fields = { cres, ...(threeDSSessionData !== null && { threeDSSessionData }) }
  return leavingPage({ target: form.notificationUrl, fields, afterMs: 0, browserLanguage })
}
