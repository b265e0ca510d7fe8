import { randomUUID } from 'node:crypto'
import { checkMessage, type EmvMessage, requiredText } from '@tillwright/emv-3ds'
import { browserAreq, exchange } from '@tillwright/emv-3ds/vectors'
import { onTestFinished } from 'vitest'
import { manualClock, type ManualClock } from '../../platform/src/runtime/clock.ts'
import { transcriptOf } from '../../platform/src/threeds/transcript.ts'
import type { TestPlatform } from '../../platform/test/test-platform.ts'
import { insertSession } from '../../platform/test/threeds/insert-session.ts'
import type { Control } from '../src/bank/scenario.ts'
import type { SimulatedBank } from '../src/simulated-bank.ts'
import { openTestBank } from './test-bank.ts'

/** A transaction at the simulated issuer, and a 3DS server that receives its results. */
export interface Issuer {
  bank: SimulatedBank
  /** Moves the bank's time alone: the platform, which has a worker of its own, does not notice. */
  clock: ManualClock
  transactionId: string
  accountId: string
  /** The results that have come so far, oldest first. */
  results: EmvMessage[]
  /** Resolves with the next result. */
  nextResult(): Promise<EmvMessage>
  /** Asks with an AReq, that of a browser unless it is changed, for a card. */
  ask(last4: string, change?: object): Promise<EmvMessage>
  /** The same, and the text that came back as it was. */
  askForText(last4: string, change?: object): Promise<string>
  /** Begins the challenge of an ARes. */
  open(ares: EmvMessage, change?: object): Promise<string>
  /** Answers on the page of a challenge. */
  answer(ares: EmvMessage, code: string, action?: 'confirm' | 'again' | 'cancel'): Promise<string>
  arrange(control: Partial<Control>): Promise<void>
  transcript(): ReturnType<typeof transcriptOf>
}

/** The 3DS Server's response to a result. Acknowledges it by default. */
export type Receive = (rreq: EmvMessage) => Promise<unknown>
const accept: Receive = async ({ threeDSServerTransID, acsTransID, dsTransID, messageVersion }) => {
  return { ...exchange().rres, threeDSServerTransID, acsTransID, dsTransID, messageVersion }
}

/** Opens a session on a platform and puts a bank of its own over the same database. */
export async function openIssuer(platform: TestPlatform, receive: Receive = accept): Promise<Issuer> {
  const { accountId } = platform.local
  const transactionId = randomUUID()
  await insertSession(transactionId, platform)
  const clock = manualClock(platform.clock.now())
  const results: EmvMessage[] = []
  const waiting: ((rreq: EmvMessage) => void)[] = []
  const own = new Set<unknown>() // the workers of all tests look after one database
  const receiveResult = async (sent: string) => {
    const rreq: EmvMessage = JSON.parse(sent) // the bank's own; what is wrong with it on purpose is looked at by the tests
    if (!own.has(rreq['acsTransID'])) return JSON.stringify(await accept(rreq))
    results.push(rreq)
    waiting.shift()?.(rreq)
    return JSON.stringify(await receive(rreq)) ?? ''
  }
  const bank = openTestBank({ ...platform.services, clock }, receiveResult)
  onTestFinished(() => bank.stop())
  const english = { ...browserAreq(), browserLanguage: 'en-US' }
  const areq = (change: object) => ({ ...english, threeDSServerTransID: transactionId, ...change })
  const askForText: Issuer['askForText'] = (last4, change = {}) =>
    bank.answerAreq({ areq: JSON.stringify(areq(change)), brand: 'visa', last4 })
  return {
    bank,
    clock,
    transactionId,
    accountId,
    results,
    nextResult: () => new Promise((resolve) => void waiting.push(resolve)),
    ask: async (last4, change) => {
      const checked = checkMessage(await askForText(last4, change), { types: ['ARes', 'Erro'] })
      const answer = checked.outcome === 'valid' ? checked.message : checked.erro
      own.add(answer['acsTransID'])
      return answer
    },
    askForText,
    open: async ({ threeDSServerTransID = '', acsTransID = '' }, change = {}) => {
      const creq = { ...exchange().creq, threeDSServerTransID, acsTransID, ...change }
      return shown(await bank.openChallenge({ creq: encoded(creq), threeDSSessionData: 'c2hvcA' }))
    },
    answer: async (ares, code, action = 'confirm') => {
      const acsTransactionId = requiredText(ares, 'acsTransID')
      own.add(acsTransactionId)
      return shown(await bank.answerChallenge({ acsTransactionId, action, code }))
    },
    arrange: (control) => bank.control({ faults: {}, ...control }, { accountId, transactionId: '' }),
    transcript: () => transcriptOf(`threeds_${transactionId}`, accountId, platform.services.db),
  }
}

/** The CRes that a page posts to the shop, and what the shop wanted back; `null` for a page that does not. */
export function cresIn(page: string): { cres: EmvMessage; target: string; sessionData: string | undefined } | null {
  const cres = /name="cres" value="([^"]*)"/.exec(page)?.[1]
  const target = /action="([^"]*)"/.exec(page)?.[1]
  if (cres === undefined || target === undefined) return null
  const sessionData = /name="threeDSSessionData" value="([^"]*)"/.exec(page)?.[1]
  return { cres: JSON.parse(Buffer.from(cres, 'base64url').toString()), target, sessionData }
}

/** Base64url of JSON, as forms carry it. */
export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function shown(answer: Awaited<ReturnType<SimulatedBank['openChallenge']>>): string {
  return answer.outcome === 'page' ? answer.page.body : JSON.stringify(answer.erro)
}
