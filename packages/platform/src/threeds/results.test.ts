import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { newAuthenticatedPayment, newChallengedPayment, resultOf } from '../../test/threeds-payment.ts'
import { statusOfResult } from './results.ts'

const MINUTE_MS = 60_000
const PROOF = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA='

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (sessionId: string) => platform().call(contract.threeds.get, { params: { sessionId } })
  const receive = async (sessionId: string, change: { transStatus?: string } = {}) =>
    platform().receiveThreedsResult(await resultOf(platform(), sessionId, change))

  /** The events that report the end of a session. */
  async function endsOf(sessionId: string) {
    const rows = await platform().services.db.read(
      `SELECT event_type, properties FROM events WHERE event_type IN ('s_threeds_session_succeeded', 's_threeds_session_failed')`,
      [],
    )
    return rows
      .map((row) => ({ type: row['event_type'], ...JSON.parse(String(row['properties'])) }))
      .filter((event) => event.sessionId === sessionId)
  }

  test.for([
    [{ transStatus: 'Y' }, 'successful', 'authenticated', '05', true, PROOF],
    [{ transStatus: 'A' }, 'attempted', 'attempted', '06', true, PROOF],
    [{ transStatus: 'N', transStatusReason: '01' }, 'failed', 'failed', '07', false, null],
    [{ transStatus: 'U', transStatusReason: '22' }, 'unavailable', 'unavailable', '07', false, null],
    [{ transStatus: 'R', transStatusReason: '11' }, 'rejected', 'rejected', '07', false, null],
    [{ transStatus: 'N', challengeCancel: '01' }, 'cancelled', 'cancelled', '07', false, null],
    [{ transStatus: 'U', challengeCancel: '04' }, 'expired', 'timed_out', '07', false, null],
  ] as const)(
    'after a challenge %j is %s: %s, with ECI %s',
    async ([said, status, outcome, eci, liabilityShifted, authenticationValue]) => {
      const { sessionId, payment } = await newChallengedPayment(platform())
      const sent = await resultOf(platform(), sessionId, said)
      expect(await platform().receiveThreedsResult(sent)).toEqual({
        messageType: 'RRes',
        messageVersion: '2.2.0',
        threeDSServerTransID: expect.any(String),
        acsTransID: expect.any(String),
        dsTransID: expect.any(String),
        resultsStatus: '01',
      })
      const session = await read(sessionId)
      const { transStatus } = said
      expect(session).toMatchObject({ status, outcome, transStatus, eci, liabilityShifted, paymentId: payment.id })
      expect(session.challengeCancel).toBe('challengeCancel' in said ? said.challengeCancel : null)
      const [row] = await platform().services.db.read('SELECT outcome FROM threeds_sessions WHERE id = ?', [sessionId])
      expect(JSON.parse(String(row?.['outcome']))).toMatchObject({ status, authenticationValue, creq: null })
      expect(await endsOf(sessionId)).toMatchObject([
        {
          type: liabilityShifted ? 's_threeds_session_succeeded' : 's_threeds_session_failed',
          status,
          transStatus,
          eci,
        },
      ])
    },
  )

  test('the same result again is answered the same and has no further effect; nor has another one', async () => {
    const { sessionId } = await newChallengedPayment(platform())
    const first = await receive(sessionId, { transStatus: 'N' })
    expect(await receive(sessionId, { transStatus: 'N' })).toEqual(first)
    expect(await receive(sessionId, { transStatus: 'Y' })).toEqual(first)
    expect(await read(sessionId)).toMatchObject({ status: 'failed', transStatus: 'N' })
    expect(await endsOf(sessionId)).toHaveLength(1)
  })

  it('of several results at once one decides', async () => {
    const { sessionId } = await newChallengedPayment(platform())
    const sent = ['Y', 'N', 'U', 'Y', 'R', 'A', 'N', 'Y'].map((transStatus) => receive(sessionId, { transStatus }))
    for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ messageType: 'RRes' })
    const [event, ...others] = await endsOf(sessionId)
    expect(others).toEqual([])
    expect(await read(sessionId)).toMatchObject({ status: event?.status, transStatus: event?.transStatus })
  })

  test('a result that comes after the session’s time, or after it was given up, changes nothing, and the answer says so', async () => {
    const [late, given] = [await newChallengedPayment(platform()), await newChallengedPayment(platform())]
    await platform().call(contract.threedsFrame.cancel, { body: { actionToken: given.actionToken } })
    expect(await receive(given.sessionId)).toMatchObject({ messageType: 'RRes', resultsStatus: '02' })
    expect(await read(given.sessionId)).toMatchObject({ status: 'cancelled', transStatus: null, eci: null })
    platform().clock.advance(30 * MINUTE_MS)
    expect(await receive(late.sessionId)).toMatchObject({ messageType: 'Erro', errorCode: '402' })
    expect(await read(late.sessionId)).toMatchObject({ status: 'expired', outcome: 'timed_out', transStatus: null })
  })

  test('a result for a session without a challenge changes nothing', async () => {
    const { sessionId } = await newAuthenticatedPayment(platform())
    expect(await receive(sessionId, { transStatus: 'N' })).toMatchObject({ messageType: 'RRes' })
    expect(await read(sessionId)).toMatchObject({ status: 'successful', transStatus: 'Y' })
  })

  const stranger = '00000000-0000-4000-8000-000000000000'

  test.for([
    ['of a transaction that there is not', { threeDSServerTransID: stranger }, '301', 'threeDSServerTransID'],
    ['with another issuer’s id', { acsTransID: stranger }, '301', 'acsTransID'],
    ['with another directory’s id', { dsTransID: stranger }, '301', 'dsTransID'],
    ['without an outcome', { transStatus: undefined }, '201', 'transStatus'],
    ['without its proof', { authenticationValue: undefined }, '201', 'authenticationValue'],
    ['without ids', { acsTransID: undefined, dsTransID: undefined }, '201', 'acsTransID,dsTransID'],
    ['that asks for a challenge', { transStatus: 'C' }, '203', 'transStatus'],
    ['with a proof of another length', { authenticationValue: 'MTIz' }, '203', 'authenticationValue'],
    ['of another kind', { messageType: 'RRes' }, '101', 'messageType'],
    ['of an unknown version', { messageVersion: '2.9.0' }, '102', '2.1.0,2.2.0'],
    ['without a reason', { transStatus: 'N', transStatusReason: undefined }, '201', 'transStatusReason'],
    ['of no payment', { messageCategory: '02' }, '305', 'messageCategory'],
    ['with an id that is none', { threeDSServerTransID: 'x' }, '203', 'threeDSServerTransID'],
  ] as const)('a result %s is answered by an error message', async ([, change, errorCode, errorDetail]) => {
    const { sessionId } = await newChallengedPayment(platform())
    const sent = await resultOf(platform(), sessionId, change)
    expect(await platform().receiveThreedsResult(sent)).toMatchObject({
      messageType: 'Erro',
      errorComponent: 'S',
      errorMessageType: 'messageType' in change ? change.messageType : 'RReq',
      errorCode,
      errorDetail,
    })
    expect(await read(sessionId)).toMatchObject({ status: 'challenge_required' })
  })

  test.for(['', 'null', '"text"', '[]', '{}', '{'])(
    'what is no message, such as %j, is answered by one',
    async (sent) => {
      const answer = await platform().receiveThreedsResult(sent)
      expect(answer).toMatchObject({ messageType: 'Erro', errorCode: '101', errorComponent: 'S' })
    },
  )

  test('a result that names a field twice is answered by an error message', async () => {
    const { sessionId } = await newChallengedPayment(platform())
    const sent = (await resultOf(platform(), sessionId)).replace('{', '{"transStatus":"N",')
    expect(await platform().receiveThreedsResult(sent)).toMatchObject({ errorCode: '204', errorDetail: 'transStatus' })
    expect(await read(sessionId)).toMatchObject({ status: 'challenge_required' })
  })
})

it.for([
  ['Y', null, 'successful'],
  ['A', null, 'attempted'],
  ['N', null, 'failed'],
  ['U', null, 'unavailable'],
  ['R', null, 'rejected'],
  ['N', '01', 'cancelled'],
  ['U', '01', 'cancelled'],
  ['N', '03', 'expired'],
  ['U', '04', 'expired'],
  ['N', '05', 'expired'],
  ['U', '08', 'expired'],
  ['N', '06', 'failed'],
  ['U', '07', 'unavailable'],
  ['R', '01', 'rejected'],
  ['Y', '01', 'successful'],
] as const)('a result %s with the cancellation %s is %s', ([transStatus, challengeCancel, status]) => {
  expect(statusOfResult({ transStatus, challengeCancel })).toBe(status)
})
