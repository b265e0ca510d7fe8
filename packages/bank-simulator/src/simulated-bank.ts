import { type EmvMessage, erroOf, isUuid, textOf } from '@tillwright/emv-3ds'
import { z } from 'zod'
import { type AcsTransaction, findDue, type Step } from './bank/authentications.ts'
import { answerPreq, methodUrlOf } from './bank/card-ranges.ts'
import { answered, cancelled, lapsed, openChallenge, type PostedCreq } from './bank/challenge.ts'
import { answerAreq, type SentAreq } from './bank/directory-server.ts'
import { drawnUuid } from './bank/draws.ts'
import { cresForm, type Delivery, moveChallenge } from './bank/results.ts'
import { arrange, type Control, type Controlled, findControl } from './bank/scenario.ts'
import type { BankDependencies, Statement } from './dependencies.ts'
import type { BankPage } from './pages/bank-page.ts'
import { appPage, codePage, leavingPage, stayingPage } from './pages/challenge-pages.ts'

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

/** Interval between checks for due authentications. */
const LOOK_EVERY_MS = 1_000
/** Interval between checks for expired authentications. */
const FORGET_EVERY_MS = 60_000

/**
 * Starts the issuer's background worker. It times out challenges, answers in the bank's app, sends late results, and
 * resends those that were not accepted.
 *
 * @returns Stops the worker, and resolves once it has stopped.
 */
function startChallenges(runner: Delivery): () => Promise<void> {
  const { clock, log } = runner
  const stopping = new AbortController()
  const done = run()
  return () => {
    stopping.abort()
    return done
  }

  async function run(): Promise<void> {
    let isFailing = false
    for (let forgetAtMs = clock.now() + FORGET_EVERY_MS; !stopping.signal.aborted;) {
      const isTime = clock.now() >= forgetAtMs
      if (isTime) forgetAtMs = clock.now() + FORGET_EVERY_MS
      await look(runner, isTime).then(
        () => (isFailing = false),
        (error: unknown) => {
          if (!isFailing) log.error({ err: error }, 'challenges could not be looked for; trying again')
          isFailing = true
        },
      )
      await clock.until(clock.now() + LOOK_EVERY_MS, stopping.signal)
    }
  }
}

async function look(runner: Delivery, forgets: boolean): Promise<void> {
  const { db, clock } = runner
  for (const transaction of await findDue(clock.now(), db)) await runOne(transaction, runner)
  if (forgets) await db.write([forgetTransactions(clock.now())])
}

/** A failure of one authentication is logged, so that it does not hold up the others. */
async function runOne({ acsTransactionId }: AcsTransaction, runner: Delivery): Promise<void> {
  try {
    await moveChallenge(acsTransactionId, { step: lapsed }, runner)
  } catch (error) {
    runner.log.error({ err: error, acsTransactionId }, 'a challenge could not be moved; trying again')
  }
}

/** How long an authentication is kept once nothing is due any more. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** Deletes authentications that the issuer no longer needs. Their outcome remains in the 3DS session. */
function forgetTransactions(nowMs: number): Statement {
  return {
    sql: 'DELETE FROM acs_transactions WHERE created_at <= ? AND due_at IS NULL',
    params: [nowMs - REMEMBERED_MS],
  }
}

/** The data posted to the issuer's method page. Source: EMV 3DS 2.2.0, threeDSMethodData. */
const methodData = z.object({
  threeDSServerTransID: z.uuid(),
  threeDSMethodNotificationURL: z.url({ protocol: /^https?$/ }).max(256),
})

/** How a method page ends: it notifies the shop at once, late, or never. */
export interface MethodEnd {
  notificationUrl: string
  /** The data sent back to the shop, base64url. */
  data: string
  afterMs: number | null
}

/** Delay of a deliberately late notification. A shop waits for ten seconds. */
const LATE_MS = 12_000
const RACES_MAX = 5

/**
 * Parses the data posted to the method page.
 *
 * @param posted Base64url JSON.
 * @returns `null` if it is not valid method data.
 */
async function readMethodData(
  posted: string,
  { db, clock, server }: Pick<BankDependencies, 'db' | 'clock' | 'server'>,
): Promise<MethodEnd | null> {
  const parsed = methodData.safeParse(jsonOf(posted))
  if (!parsed.success) return null
  const { threeDSServerTransID: transactionId, threeDSMethodNotificationURL: notificationUrl } = parsed.data
  const accountId = await server.ownerOf(transactionId)
  if (accountId === null) return endOf(transactionId, { notificationUrl, afterMs: 0 })
  const message = { from: 'browser', to: 'issuer', type: 'Method', message: parsed.data } as const
  for (let races = 0; races < RACES_MAX; races++) {
    const recorded = await db.write(server.recordMessages([message], { accountId, transactionId, nowMs: clock.now() }))
    if (recorded.outcome === 'committed') break
  }
  const arranged = await findControl({ accountId, transactionId }, db)
  switch (arranged?.control.faults.method) {
    case 'hang':
      return endOf(transactionId, { notificationUrl, afterMs: null })
    case 'late':
      return endOf(transactionId, { notificationUrl, afterMs: LATE_MS })
    case 'wrong_transaction':
      return endOf(drawnUuid('another', transactionId), { notificationUrl, afterMs: 0 })
    case undefined:
      return endOf(transactionId, { notificationUrl, afterMs: 0 })
  }
}

function endOf(threeDSServerTransID: string, end: Omit<MethodEnd, 'data'>): MethodEnd {
  return { ...end, data: Buffer.from(JSON.stringify({ threeDSServerTransID })).toString('base64url') }
}

function jsonOf(posted: string): unknown {
  try {
    return JSON.parse(Buffer.from(posted, 'base64url').toString())
  } catch {
    return null
  }
}
