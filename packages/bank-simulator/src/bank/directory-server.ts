import { countryNumber, currencyOfNumber } from '@tillwright/contract'
import {
  checkMessage,
  type EmvMessage,
  erroOf,
  maskAccountNumber,
  type Recording,
  requiredText,
  type SentMessage,
  textOf,
} from '@tillwright/emv-3ds'
import type { BankDependencies, Statement } from '../dependencies.ts'
import { aresOf, outgoingAres, type OutgoingAres } from './authentication-response.ts'
import { type AcsTransaction, findByTransaction, insertTransaction } from './authentications.ts'
import { FIRST_CREQ_MS, OUT_OF_BAND_MS } from './challenge.ts'
import { type Arranged, controlled, findControl, reasons, type Scenario } from './scenario.ts'

/** An AReq with the card details that are known without the card number. */
export interface SentAreq {
  /** An AReq as JSON. */
  areq: string
  brand: string
  last4: string
  /** `threeds` or `testCardPreset` of a preview. Takes precedence over the card. */
  preset?: string | undefined
}

/** Dependencies of the Directory Server. */
export interface Directory extends Pick<BankDependencies, 'db' | 'clock' | 'log' | 'server'> {
  /** URL of the challenge page. */
  challengeUrl: string
  /** Aborted when the platform stops, to end pending delays. */
  stopping: AbortSignal
}

/** Number of retries if the same request arrives concurrently. */
const RACES_MAX = 5

/**
 * Answers an authentication request on behalf of the issuer. The response is recorded before it is sent, and a repeated
 * request for the same transaction gets the recorded response.
 *
 * @returns An ARes or an Erro as JSON, unless a fault alters it.
 */
export async function answerAreq(sent: SentAreq, directory: Directory): Promise<string> {
  const checked = checkMessage(sent.areq, { types: ['AReq'], component: 'D', isCurrency })
  const areq = checked.outcome === 'valid' ? checked.message : checked.erro
  const transactionId = textOf(areq, 'threeDSServerTransID')
  if (transactionId === undefined) return JSON.stringify(unknownTransaction(areq))
  const erro = checked.outcome === 'error' ? checked.erro : unknownCountry(areq)
  const { clock, stopping } = directory
  const receivedMs = clock.now()
  for (let races = 0; races < RACES_MAX; races++) {
    const known = await readKnown(transactionId, directory)
    if (known === null) return JSON.stringify(unknownTransaction(areq))
    if (erro !== null) return refuse(sent.areq, erro, { known, directory })
    const outgoing = await authenticate(areq, sent, { known, directory })
    if (outgoing === null) continue
    await clock.until(receivedMs + outgoing.afterMs, stopping)
    return outgoing.text
  }
  throw new Error(`The transaction ${transactionId} is asked about too often at once.`)
}

/** A recorded transaction. */
interface Known extends Pick<Recording, 'accountId' | 'transactionId'> {
  before: AcsTransaction | null
  control: Arranged | null
}

/** @returns `null` if no account has this transaction. */
async function readKnown(transactionId: string, { db, server }: Directory): Promise<Known | null> {
  const accountId = await server.ownerOf(transactionId)
  if (accountId === null) return null
  const own = { accountId, transactionId }
  const [before, control] = await Promise.all([findByTransaction(own, db), findControl(own, db)])
  return { ...own, before, control }
}

function isCurrency(number: string): boolean {
  return currencyOfNumber(number) !== null
}

function unknownCountry(areq: EmvMessage): EmvMessage | null {
  const country = textOf(areq, 'merchantCountryCode')
  if (country === undefined || countryNumber(country) !== null) return null
  return erroOf({ code: '304', detail: 'merchantCountryCode', component: 'D', about: areq })
}

interface Asked {
  known: Known
  directory: Directory
}

/** @returns `null` after a concurrent change. */
async function authenticate(
  areq: EmvMessage,
  sent: SentAreq,
  { known: { before, control, ...owner }, directory }: Asked,
): Promise<OutgoingAres | null> {
  const { db, clock, server } = directory
  const nowMs = clock.now()
  const arranged = before === null ? control : null
  const transaction = before ?? newTransaction(areq, sent, { ...owner, nowMs, arranged, directory })
  // A fault applies once: a repeated request is answered.
  const faults = before === null ? transaction.faults : {}
  const outgoing = outgoingAres(transaction.ares, transaction.transactionId, faults)
  const answers = outgoing.recorded.map((message): SentMessage => ({
    from: 'directory',
    to: 'server',
    type: 'ARes',
    message,
  }))
  const writes: Statement[] = [
    ...(before === null ? [insertTransaction(transaction, nowMs)] : []),
    ...(arranged === null ? [] : [arranged.taken]),
    ...server.recordMessages([asked(areq), ...answers], { ...owner, nowMs }),
  ]
  const outcome = await db.write(writes)
  return outcome.outcome === 'committed' ? outgoing : null
}

interface New extends Recording {
  arranged: Arranged | null
  directory: Directory
}

function newTransaction(
  areq: EmvMessage,
  { brand, last4, preset }: SentAreq,
  { accountId, transactionId, nowMs, arranged, directory }: New,
): AcsTransaction {
  const own = asAsked(scenarioOf(last4, preset), areq)
  const scenario = arranged === null ? own : controlled(own, arranged.control)
  const ares = aresOf(areq, { scenario, brand, challengeUrl: directory.challengeUrl })
  return {
    accountId,
    transactionId,
    acsTransactionId: requiredText(ares, 'acsTransID'),
    revision: 0,
    dueAtMs: firstDue(ares, nowMs),
    areq: maskAccountNumber(areq),
    ares,
    brand,
    last4,
    scenario,
    faults: arranged?.control.faults ?? {},
    opened: false,
    sessionData: null,
    tries: 0,
    interactions: 0,
    result: null,
    delivery: 'none',
  }
}

/** Source: EMV 3DS 2.2.0, threeDSRequestorChallengeInd: no challenge, for one reason or another; 04: one is demanded. */
const EXEMPTING = /^0[25678]$/
const MANDATING = '04'

function asAsked(scenario: Scenario, areq: EmvMessage): Scenario {
  const wish = textOf(areq, 'threeDSRequestorChallengeInd') ?? ''
  if (wish === MANDATING) return scenario.mandated ?? scenario
  return EXEMPTING.test(wish) ? (scenario.exempted ?? scenario) : scenario
}

/** Schedules the next step: the time limit of a challenge, or the answer to a decoupled authentication. */
function firstDue({ transStatus }: EmvMessage, nowMs: number): number | null {
  if (transStatus === 'C') return nowMs + FIRST_CREQ_MS
  return transStatus === 'D' ? nowMs + OUT_OF_BAND_MS : null
}

function asked(message: unknown): SentMessage {
  return { from: 'server', to: 'directory', type: 'AReq', message }
}

async function refuse(areq: string, erro: EmvMessage, { known, directory }: Asked): Promise<string> {
  const { db, clock, server } = directory
  const answer: SentMessage = { from: 'directory', to: 'server', type: 'Erro', message: erro }
  await db.write(server.recordMessages([asked(readable(areq)), answer], { ...known, nowMs: clock.now() }))
  return JSON.stringify(erro)
}

/** A refused request as it is recorded: without the card number. */
function readable(areq: string): unknown {
  try {
    return JSON.parse(areq)
  } catch {
    return null
  }
}

function unknownTransaction(about: EmvMessage): EmvMessage {
  return about.messageType === 'Erro'
    ? about
    : erroOf({ code: '301', detail: 'threeDSServerTransID', component: 'D', about })
}

const attempted: Scenario = { transStatus: 'A' }
const failed = refusal('N')
const unavailable = refusal('U')
const rejected = refusal('R')
const byCode: Scenario = { transStatus: 'C', challenge: 'otp' }
const inApp: Scenario = { transStatus: 'C', challenge: 'oob' }

/** Scenarios of the test cards, by last four digits. Any other card is authenticated without a challenge. */
const byLast4: Readonly<Record<string, Scenario>> = {
  // The 3-D Secure 2.2 cards of Cybersource: Visa 4000 0000 0000 ...., Mastercard 5200 0000 0000 ....,
  // American Express 3400 000000 0...., Discover 6011 0000 0000 ....
  '2719': attempted, // Visa
  '2482': attempted, // Mastercard
  '2872': attempted, // American Express
  '2646': attempted, // Discover
  '2925': failed, // Visa
  '2276': failed, // Mastercard
  '2096': failed, // American Express
  '2364': failed, // Discover
  '2313': unavailable, // Visa
  '2268': unavailable, // Mastercard
  '2922': unavailable, // American Express
  '2612': unavailable, // Discover
  '2537': rejected, // Visa
  '2185': rejected, // Mastercard
  '2062': rejected, // American Express
  '2711': rejected, // Discover
  '2503': byCode, // Visa
  '2151': byCode, // Mastercard
  '2534': byCode, // American Express
  '2265': byCode, // Discover
  // The 3-D Secure cards of Stripe that always ask: 4000 0000 0000 3220, 4000 0027 6000 3184, 4000 0082 6000 3178,
  // 4000 0084 0000 1629 (the payment is declined afterwards); 4000 0084 0000 1280 cannot be looked up.
  '3220': byCode,
  '3184': byCode,
  '3178': byCode,
  '1629': byCode,
  '1280': unavailable,
  // Our own, all Visa 4000 0000 0000 ....: informational, in the bank's app with success and without, decoupled.
  '2800': { transStatus: 'I' },
  '2818': inApp,
  '2826': { ...inApp, result: 'N' },
  '2834': { transStatus: 'C', challenge: 'decoupled' },
  // The issuer asks for a code, unless an exemption is asked for; and one that knows the shop from the buyer's list.
  '2842': { ...byCode, exempted: { transStatus: 'Y' } },
  '2859': { ...byCode, exempted: { transStatus: 'I' } },
  '2867': { transStatus: 'Y', whiteListStatus: 'Y' },
  // The issuer asks for a code where that is demanded alone.
  '2883': { transStatus: 'Y', mandated: byCode },
}

/** Scenarios of previews, by `threeds` or preset. They apply to every card; other presets do not affect authentication. */
const byPreset = new Map<string, Scenario>([
  ['frictionless', { transStatus: 'Y' }],
  ['challenge', byCode],
  ['fail', failed],
  ['network1_3ds', byCode],
  ['network1_success', { transStatus: 'Y' }],
  ['network2_success', { transStatus: 'Y' }],
  ['network3_success', { transStatus: 'Y' }],
  ['network1_declined', { transStatus: 'Y' }], // it is the processor that declines
  ['network1_insufficient', { transStatus: 'Y' }],
])

/**
 * @param last4 The last four digits of the card number.
 * @param preset The scenario of a preview, which overrides the card's.
 */
export function scenarioOf(last4: string, preset?: string): Scenario {
  return (preset === undefined ? undefined : byPreset.get(preset)) ?? byLast4[last4] ?? { transStatus: 'Y' }
}

function refusal(transStatus: 'N' | 'U' | 'R'): Scenario {
  return { transStatus, transStatusReason: reasons[transStatus] ?? '01' }
}
