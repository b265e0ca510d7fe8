import { contract } from '@tillwright/contract'
import { erroOf } from '@tillwright/emv-3ds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserData } from '../../../test/browser-data.ts'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'
import {
  authenticateWaiting,
  CHALLENGE_CARD,
  newWaitingPayment,
  resultOf,
  type WaitingPayment,
} from '../../../test/threeds-payment.ts'
import { type Directory, startDirectory } from '../../../test/threeds/directory/start-directory.ts'
import { readConfig } from '../../config.ts'
import { openOperator } from '../../operator/operator.ts'

const merchant = {
  merchantId: 'M1',
  mcc: '5411',
  merchantName: 'Canvas & Co',
  merchantCountryCode: 'US',
  acquirerBin: '445566',
}
const MINUTE_MS = 60_000
const RESULTS_URL = 'https://vault.shop.example/v1/threeds/results'
const STRANGER = '00000000-0000-4000-8000-000000000000'

describe.each(ruleEngines())('in production on %s', (engine) => {
  const platform = sharedPlatform({ engine, environment: 'production', env: { TILLWRIGHT_ANSWER_SECONDS: '2' } })
  const elsewhere = sharedPlatform()
  let directory: Directory
  /** How often each result is brought, and what was answered. */
  let brought: { times: number; answers: unknown[] } = { times: 1, answers: [] }

  const bring = async (rreq: string, headers = {}) =>
    platform().vaultRequest('POST', '/v1/threeds/results', {
      key: '',
      body: rreq,
      headers: { ...directory.shown, ...headers },
    })

  beforeAll(async () => {
    directory = await startDirectory(elsewhere(), async (rreq, url) => {
      if (url !== RESULTS_URL) throw new Error(`The result was to be brought to ${url}.`)
      for (let time = 0; time < brought.times; time++) brought.answers.push((await bring(rreq)).body)
      return JSON.stringify(brought.answers.at(-1))
    })
    const operator = await openOperator(readConfig(platform().settings))
    await operator.threeds.add({ name: 'vendor_a', settings: directory.settings })
    await operator.close()
    await platform().services.db.write([
      { sql: 'UPDATE processors SET config = ?', params: [JSON.stringify({ merchant })] },
    ])
    platform().clock.advance(1_000) // an operator's change is acted on within a second
  })
  afterAll(() => directory.stop())

  const read = (sessionId: string) => platform().call(contract.threeds.get, { params: { sessionId } })

  async function challenged(): Promise<WaitingPayment & { acsTransactionId: string }> {
    const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    const { challenge } = await authenticateWaiting(platform(), waiting)
    expect(challenge?.acsUrl).toBe('https://acs.example/acs/challenge')
    await directory.bank.openChallenge({ creq: challenge?.creq ?? '', threeDSSessionData: null })
    const { acsTransactionId } = await read(waiting.sessionId)
    return { ...waiting, acsTransactionId: acsTransactionId ?? '' }
  }

  async function typed(acsTransactionId: string, code: string, times = 1): Promise<unknown[]> {
    brought = { times, answers: [] }
    await directory.bank.answerChallenge({ acsTransactionId, action: 'confirm', code })
    return brought.answers
  }

  test('a payment is authenticated at the directory that the operator has named', async () => {
    const waiting = await newWaitingPayment(platform())
    const { method } = await platform().call(contract.threedsFrame.start, {
      body: { actionToken: waiting.actionToken },
    })
    expect(method?.url).toBe('https://acs.example/acs/method')
    expect(await authenticateWaiting(platform(), waiting)).toMatchObject({ status: 'successful', transStatus: 'Y' })
    const areq = directory.received.findLast(({ messageType }) => messageType === 'AReq')
    expect(areq).toMatchObject({
      threeDSServerRefNumber: '3DS_LOA_SER_TEST_020200_00001',
      threeDSServerOperatorID: 'operator 1',
      threeDSRequestorID: platform().local.accountId,
      acquirerBIN: '445566',
      acctNumber: '4242424242424242',
    })
    const { transcript } = await read(waiting.sessionId)
    expect(transcript.map(({ type }) => type)).toEqual(['AReq', 'ARes'])
    expect(JSON.stringify(transcript)).not.toContain('4242424242424242')
    expect(directory.received.filter(({ messageType }) => messageType === 'PReq')).toHaveLength(1)
  })

  test('no one is kept waiting by a directory that hangs: what it says in the end, the session tells', async () => {
    const waiting = await newWaitingPayment(platform())
    const goesOn = Promise.withResolvers<void>()
    directory.answerWith((answer) => goesOn.promise.then(() => answer))
    const body = { actionToken: waiting.actionToken, browser: browserData, methodCompletion: 'U' }
    const key = platform().local.publishableKey
    const interim = await platform().vaultRequest('POST', contract.threedsFrame.authenticate.path, { key, body })
    expect([interim.status, interim.error.code]).toEqual([409, 'state_conflict'])
    expect(interim.error.message).toContain('is still being authenticated')
    goesOn.resolve()
    directory.answerWith(null)
    await expect.poll(async () => (await read(waiting.sessionId)).status).toBe('successful')
    const params = { paymentId: waiting.payment.id }
    expect((await platform().call(contract.payments.continue, { params })).status).toBe('succeeded')
  })

  test('a challenge ends by the result that comes through the door, and the payment goes on', async () => {
    const { payment, sessionId, acsTransactionId } = await challenged()
    expect(await typed(acsTransactionId, '1234', 2)).toEqual([
      expect.objectContaining({ messageType: 'RRes', resultsStatus: '01' }),
      expect.objectContaining({ messageType: 'RRes', resultsStatus: '01' }),
    ])
    const session = await read(sessionId)
    expect(session).toMatchObject({ status: 'successful', transStatus: 'Y', eci: '05', liabilityShifted: true })
    expect(session.transcript.map(({ type }) => type)).toEqual(['AReq', 'ARes', 'RReq', 'RRes'])
    const continued = await platform().call(contract.payments.continue, { params: { paymentId: payment.id } })
    expect(continued.status).toBe('succeeded')
  })

  test('a provider is changed while challenges are under way: theirs end well, and the next is asked for by the new names', async () => {
    const begun = await challenged()
    const operator = await openOperator(readConfig(platform().settings))
    const change = (serverOperatorId: string) => operator.threeds.update('vendor_a', { serverOperatorId })
    expect(await change('operator 2')).toMatchObject({ ...directory.settings, serverOperatorId: 'operator 2' })
    await expect(operator.threeds.update('vendor_a', { resultCertificates: '/none.pem' })).rejects.toThrow('ENOENT')
    await expect(operator.threeds.update('vendor_b', { requestorId: 'shop' })).rejects.toThrow('is not configured')
    platform().clock.advance(1_000)
    await authenticateWaiting(platform(), await newWaitingPayment(platform()))
    const areq = directory.received.findLast(({ messageType }) => messageType === 'AReq')
    expect(areq).toMatchObject({ threeDSServerOperatorID: 'operator 2' })
    await typed(begun.acsTransactionId, '1234')
    expect(await read(begun.sessionId)).toMatchObject({ status: 'successful', transStatus: 'Y' })
    const recorded = "SELECT changes FROM audit_entries WHERE operation = 'threeds.updateProvider'"
    const [entry] = await platform().services.db.read(recorded, [])
    expect(JSON.parse(String(entry?.['changes']))).toEqual({
      before: directory.settings,
      after: { ...directory.settings, serverOperatorId: 'operator 2' },
    })
    await change('operator 1')
    await operator.close()
    platform().clock.advance(1_000)
  })

  test('a result that comes after the session’s time is refused as too late', async () => {
    const { sessionId } = await challenged()
    const rreq = await resultOf(platform(), sessionId)
    platform().clock.advance(30 * MINUTE_MS)
    expect((await bring(rreq)).body).toMatchObject({ messageType: 'Erro', errorCode: '402', errorComponent: 'S' })
    expect(await read(sessionId)).toMatchObject({ status: 'expired' })
  })

  test('a result that names another directory’s transaction is refused, and one that did not come over HTTPS', async () => {
    const { sessionId } = await challenged()
    const dsTransID = STRANGER
    const foreign = await bring(await resultOf(platform(), sessionId, { dsTransID }))
    expect(foreign.body).toMatchObject({ messageType: 'Erro', errorCode: '301', errorDetail: 'dsTransID' })
    const plain = await bring(await resultOf(platform(), sessionId), { 'X-Forwarded-Proto': 'http' })
    expect(plain.status).toBe(400)
    expect((await bring('x'.repeat(128 * 1_024 + 1))).status).toBe(400)
    expect(await read(sessionId)).toMatchObject({ status: 'challenge_required' })
  })

  test.for([
    [
      'for another transaction',
      (answer: string) => answer.replaceAll(/("threeDSServerTransID":")[^"]+/g, `$1${STRANGER}`),
    ],
    ['no JSON', () => '<html>'],
    ['too long', () => ' '.repeat(300_000)],
    ['an error', () => JSON.stringify(erroOf({ code: '405', detail: 'The issuer', component: 'D', about: {} }))],
  ] as const)('an answer of the directory that is %s is none', async ([, answer]) => {
    const waiting = await newWaitingPayment(platform())
    directory.answerWith(answer)
    try {
      expect(await authenticateWaiting(platform(), waiting)).toMatchObject({ status: 'unavailable' })
    } finally {
      directory.answerWith(null)
    }
  })

  test('a card of a network without a directory server is not authenticated', async () => {
    const waiting = await newWaitingPayment(platform(), { number: '5555555555554444' })
    expect(await authenticateWaiting(platform(), waiting)).toMatchObject({ status: 'unavailable' })
  })

  test('without a provider of its name a session is not opened, and after a removal none is', async () => {
    const { paymentInstrumentId } = (await newWaitingPayment(platform())).payment
    const session = (provider: string) =>
      platform().request('POST', contract.threeds.createSession.path, {
        body: { storeId: platform().local.storeId, paymentInstrumentId, provider },
      })
    expect([(await session('vendor_a')).status, (await session('vendor_b')).status]).toEqual([201, 503])
    const operator = await openOperator(readConfig(platform().settings))
    await expect(operator.threeds.add({ name: 'vendor_a', settings: directory.settings })).rejects.toThrow(
      'change it with "tillwright threeds update vendor_a"',
    )
    await operator.threeds.remove('vendor_a')
    await operator.threeds.add({ name: 'vendor_b', settings: directory.settings })
    await operator.close()
    platform().clock.advance(1_000)
    expect([(await session('vendor_a')).status, (await session('vendor_b')).status]).toEqual([503, 201])
  })
})

describe('outside production', () => {
  const platform = sharedPlatform()

  test('there is no door for results: those of the built-in engine do not go over the network', async () => {
    const answer = await platform().vaultRequest('POST', '/v1/threeds/results', { key: '', body: '{}' })
    expect(answer.status).toBe(404)
  })
})
