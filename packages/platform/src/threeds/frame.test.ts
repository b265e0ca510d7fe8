import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { browserData } from '../../test/browser-data.ts'
import { secondAccount } from '../../test/second-account.ts'
import type { SentRequest } from '../../test/send-request.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import {
  authenticateWaiting,
  CHALLENGE_CARD,
  newAuthenticatedPayment,
  newChallengedPayment,
  newWaitingPayment,
  resultOf,
} from '../../test/threeds-payment.ts'
import { receiveResult } from './results.ts'
import { sessionWatch } from './session-watch.ts'

const MINUTE_MS = 60_000
const { start, authenticate, result, cancel } = contract.threedsFrame

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const send = (operation: { path: string }, body: object, sent: SentRequest = {}) =>
    platform().vaultRequest('POST', operation.path, { body, ...sent })
  const authenticated = (actionToken: string, sent: SentRequest = {}) =>
    send(authenticate, { actionToken, browser: browserData, methodCompletion: 'U' }, sent)
  const resultNow = (actionToken: string) => platform().call(result, { body: { actionToken } })
  /** A request that waits for its session to end, and has looked at it once. */
  async function waitingFor(actionToken: string) {
    const seen = platform().statements as Set<string> // the test's own, filled by the platform
    seen.clear()
    const answer = resultNow(actionToken)
    await expect.poll(() => [...seen].some((sql) => sql.includes('FROM threeds_sessions'))).toBe(true)
    return { answer }
  }

  /** Resolves with the answer and the milliseconds of clock time it took, while the clock advances in half seconds. */
  /** @param stepMs How fast time passes: slowly where work is under way meanwhile that others wait for. */
  async function inTime<Answer>(asked: Promise<Answer>, stepMs = 500) {
    const { clock } = platform()
    const startMs = clock.now()
    let done = false
    void asked.finally(() => (done = true))
    await expect.poll(() => (done || clock.advance(stepMs), done), { interval: 5, timeout: 60_000 }).toBe(true)
    return { answer: await asked, afterMs: clock.now() - startMs }
  }

  test('an issuer without a method page has none to load, and the authentication is not waited for', async () => {
    const { actionToken } = await newWaitingPayment(platform(), { number: '6011111111111117' })
    const begun = { status: 'created', method: null }
    expect(await platform().call(start, { body: { actionToken } })).toEqual(begun)
    expect(await platform().call(start, { body: { actionToken } })).toEqual(begun)
  })

  test('an issuer with a method page is named with what the page needs, also to a reload', async () => {
    const { actionToken } = await newWaitingPayment(platform())
    const begun = await platform().call(start, { body: { actionToken } })
    expect(begun).toMatchObject({ status: 'method_pending', method: { url: `${platform().apiUrl}/acs/method` } })
    expect(await platform().call(start, { body: { actionToken } })).toEqual(begun)
  })

  test.for([
    ['4242424242424242', 'successful', 'Y', 'authenticated'],
    ['4000000000002719', 'attempted', 'A', 'attempted'],
    ['4000000000002925', 'failed', 'N', 'failed'],
    ['4000000000002313', 'unavailable', 'U', 'unavailable'],
    ['4000000000002537', 'rejected', 'R', 'rejected'],
    ['4000000000002800', 'informational', 'I', 'informational'],
  ] as const)('without a challenge the card %s is %s', async ([number, status, transStatus, outcome]) => {
    const waiting = await newWaitingPayment(platform(), { number })
    expect(await authenticateWaiting(platform(), waiting)).toEqual({ status, transStatus, challenge: null })
    expect(await resultNow(waiting.actionToken)).toEqual({ status, transStatus, outcome })
    expect(await authenticateWaiting(platform(), waiting)).toEqual({ status, transStatus, challenge: null })
  })

  test('a challenge is that of the browser’s window, and a reload gets the same again', async () => {
    const { actionToken } = await newChallengedPayment(platform())
    const again = await platform().call(authenticate, {
      body: { actionToken, browser: { ...browserData, challengeWindowSize: '01' }, methodCompletion: 'Y' },
    })
    expect(again).toMatchObject({ status: 'challenge_required', transStatus: 'C', challenge: { windowSize: '03' } })
    const creq = JSON.parse(Buffer.from(again.challenge?.creq ?? '', 'base64url').toString())
    expect(creq).toMatchObject({ messageType: 'CReq', challengeWindowSize: '03' })
    expect(await authenticateWaiting(platform(), { actionToken })).toEqual(again)
  })

  it('two tabs at once authenticate once, and are answered alike', async () => {
    for (const number of ['4242424242424242', CHALLENGE_CARD]) {
      const { actionToken, sessionId } = await newWaitingPayment(platform(), { number })
      const { answer } = await inTime(Promise.all([1, 2, 3, 4].map(() => authenticated(actionToken))), 5)
      const [first, ...others] = answer.map(({ status, body }) => [status, body])
      expect(first?.[0]).toBe(200)
      for (const other of others) expect(other).toEqual(first)
      const rows = await platform().services.db.read(
        `SELECT id FROM events WHERE event_type <> 's_threeds_session_created' AND properties <> replace(properties, ?, '')
          AND event_type <> 's_payment_action_required'`,
        [sessionId],
      )
      expect(rows).toHaveLength(1)
    }
  })

  test('a result that this process receives ends a waiting request at once', async () => {
    const { actionToken, sessionId } = await newChallengedPayment(platform())
    const sent = await resultOf(platform(), sessionId)
    const { answer } = await waitingFor(actionToken)
    await platform().receiveThreedsResult(sent)
    expect(await answer).toEqual({ status: 'successful', transStatus: 'Y', outcome: 'authenticated' })
  })

  test('a result that another process receives is seen too', async () => {
    const { services, clock } = platform()
    const { actionToken, sessionId } = await newChallengedPayment(platform())
    const sent = await resultOf(platform(), sessionId, { transStatus: 'N' })
    const waiting = await waitingFor(actionToken)
    const watch = sessionWatch(clock, new AbortController().signal)
    await receiveResult(sent, { services, watch, alongside: () => [] })
    const { answer } = await inTime(waiting.answer)
    expect(answer).toEqual({ status: 'failed', transStatus: 'N', outcome: 'failed' })
  })

  test('without a result the answer comes after 8 seconds, and says that there is none', async () => {
    const { actionToken } = await newChallengedPayment(platform())
    const { answer, afterMs } = await inTime(resultNow(actionToken))
    expect(afterMs).toBeGreaterThanOrEqual(8_000)
    expect(answer).toEqual({ status: 'challenge_required', transStatus: 'C', outcome: 'pending' })
  })

  test('a buyer who gives up ends the session, once and for all, and ends waits for it', async () => {
    const { actionToken } = await newChallengedPayment(platform())
    const { answer } = await waitingFor(actionToken)
    const ended = { status: 'cancelled', transStatus: null, outcome: 'cancelled' }
    expect(await platform().call(cancel, { body: { actionToken } })).toEqual(ended)
    expect(await answer).toEqual(ended)
    expect(await platform().call(cancel, { body: { actionToken } })).toEqual(ended)
    expect((await authenticated(actionToken)).body).toEqual({ status: 'cancelled', transStatus: null, challenge: null })
  })

  test('an authentication that has ended is not given up any more', async () => {
    const { actionToken } = await newAuthenticatedPayment(platform())
    const ended = { status: 'successful', transStatus: 'Y', outcome: 'authenticated' }
    expect(await platform().call(cancel, { body: { actionToken } })).toEqual(ended)
  })

  test.for([['threeds=outage'], ['threeds=timeout']])('with %s the session is unavailable', async ([fault]) => {
    const { actionToken } = await newWaitingPayment(platform())
    const answer = await authenticated(actionToken, { headers: { 'Tillwright-Fault': fault } })
    expect([answer.status, answer.body]).toEqual([200, { status: 'unavailable', transStatus: null, challenge: null }])
    expect(await resultNow(actionToken)).toEqual({ status: 'unavailable', transStatus: null, outcome: 'unavailable' })
  })

  test('a session that a dead process was at is free after a minute; until then it is waited for', async () => {
    const { services, clock } = platform()
    const { actionToken, sessionId } = await newWaitingPayment(platform())
    const untilMs = clock.now() + MINUTE_MS
    await services.db.write([
      {
        sql: `UPDATE threeds_sessions SET status = 'authenticating', lease_until = ? WHERE id = ?`,
        params: [untilMs, sessionId],
      },
    ])
    const { answer, afterMs } = await inTime(authenticated(actionToken))
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
    expect(afterMs).toBeGreaterThanOrEqual(8_000)
    clock.advance(Math.max(0, untilMs - clock.now()))
    expect((await authenticated(actionToken)).body).toMatchObject({ status: 'successful' })
  })

  test('a token opens its session to the keys of its store alone', async () => {
    const { actionToken } = await newWaitingPayment(platform())
    const other = await secondAccount(platform())
    const otherStore = await platform().call(contract.stores.create, { body: { name: 'Other' } })
    const keys = [
      other.local.publishableKey,
      await platform().addKey({ kind: 'publishable', storeId: otherStore.id, allowedOrigins: ['http://127.0.0.1:9'] }),
    ]
    for (const operation of [start, authenticate, result, cancel]) {
      for (const sent of [...keys.map((key) => ({ key, actionToken })), { actionToken: `${actionToken}A` }]) {
        const { actionToken: token, ...key } = sent
        const answer = await send(operation, { actionToken: token, browser: browserData, methodCompletion: 'U' }, key)
        expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'token_invalid', 'actionToken'])
      }
    }
    expect((await authenticated(actionToken)).status).toBe(200)
  })

  test('after half an hour a session is reported as timed out, and ten minutes later its token opens nothing', async () => {
    const { actionToken } = await newChallengedPayment(platform())
    platform().clock.advance(30 * MINUTE_MS)
    const ended = { status: 'expired', transStatus: null, outcome: 'timed_out' }
    expect(await resultNow(actionToken)).toEqual(ended)
    expect(await platform().call(cancel, { body: { actionToken } })).toEqual(ended)
    expect((await authenticated(actionToken)).body).toEqual({ status: 'expired', transStatus: null, challenge: null })
    expect((await send(start, { actionToken })).body).toEqual({ status: 'expired', method: null })
    platform().clock.advance(10 * MINUTE_MS)
    const answer = await send(result, { actionToken })
    expect([answer.status, answer.error.code]).toEqual([400, 'token_expired'])
  })
})
