import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { checkMessage, requiredText, type EmvMessage } from '@tillwright/emv-3ds'
import { browserAreq, exchange } from '@tillwright/emv-3ds/vectors'
import { manualClock, type ManualClock } from '../../../../ambient/clock.ts'
import type { TestPlatform } from '../../../../testing/test-platform.ts'
import { transcriptOf } from '../../transcript.ts'
import { startChallenges } from '../run-challenges.ts'
import type { Control } from '../scenario.ts'
import { threedsEngine, type ThreedsEngine } from '../threeds-engine.ts'

/** A transaction at the simulated issuer, and a 3DS server that receives its results. */
export interface Issuer {
  engine: ThreedsEngine
  /** Moves the engine's time alone: the platform, which has a worker of its own, does not notice. */
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

/** What a 3DS server says to results: that it has them, unless a test wants something else. */
export type Receive = (rreq: EmvMessage) => Promise<unknown>
const accept: Receive = async ({ threeDSServerTransID, acsTransID, dsTransID, messageVersion }) => {
  return { ...exchange().rres, threeDSServerTransID, acsTransID, dsTransID, messageVersion }
}

/** Opens a session on a platform and puts an engine of its own over the same database. */
export async function openIssuer(platform: TestPlatform, receive: Receive = accept): Promise<Issuer> {
  const { accountId } = platform.local
  const transactionId = randomUUID()
  await insertSession(transactionId, platform)
  const clock = manualClock(platform.clock.now())
  const results: EmvMessage[] = []
  const waiting: ((rreq: EmvMessage) => void)[] = []
  const own = new Set<unknown>() // the workers of all tests look after one database
  const parts = { ...platform.parts, clock }
  const stopping = new AbortController()
  const sendResult = async (sent: string) => {
    const rreq: EmvMessage = JSON.parse(sent) // the engine's own; what is wrong with it on purpose is looked at by the tests
    if (!own.has(rreq['acsTransID'])) return JSON.stringify(await accept(rreq))
    results.push(rreq)
    waiting.shift()?.(rreq)
    return JSON.stringify(await receive(rreq)) ?? ''
  }
  const engine = threedsEngine({ parts, acsUrl: 'https://acs.example/acs', sendResult, stopping: stopping.signal })
  const stop = startChallenges({ parts, sendResult })
  onTestFinished(async () => {
    stopping.abort()
    await stop()
  })
  const areq = (change: object) => ({ ...browserAreq(), threeDSServerTransID: transactionId, ...change })
  const askForText: Issuer['askForText'] = (last4, change = {}) =>
    engine.answerAreq({ areq: JSON.stringify(areq(change)), brand: 'visa', last4 })
  return {
    engine,
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
      return shown(await engine.openChallenge({ creq: encoded(creq), threeDSSessionData: 'c2hvcA' }))
    },
    answer: async (ares, code, action = 'confirm') => {
      const acsTransactionId = requiredText(ares, 'acsTransID')
      own.add(acsTransactionId)
      return shown(await engine.answerChallenge({ acsTransactionId, action, code }))
    },
    arrange: (control) => engine.control({ faults: {}, ...control }, { accountId, transactionId: '' }),
    transcript: () => transcriptOf(`threeds_${transactionId}`, accountId, platform.parts.db),
  }
}

/** A session with a transaction and nothing else that the engine could look at. */
export async function insertSession(transactionId: string, { parts, local }: TestPlatform): Promise<void> {
  const nowMs = parts.clock.now()
  await parts.db.write([
    {
      sql: `INSERT INTO threeds_sessions (account_id, id, store_id, customer_id, payment_instrument_id, provider,
          external_session_id, status, lease_until, expires_at, created_at, updated_at)
        VALUES (?, ?, 'store_1', 'cus_1', 'pi_1', 'vendor_a', ?, 'created', 0, ?, ?, ?)`,
      params: [local.accountId, `threeds_${transactionId}`, transactionId, nowMs + 1_800_000, nowMs, nowMs],
    },
  ])
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

function shown(answer: Awaited<ReturnType<ThreedsEngine['openChallenge']>>): string {
  return answer.outcome === 'page' ? answer.page.html : JSON.stringify(answer.erro)
}
