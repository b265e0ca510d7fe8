import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import {
  authenticateWaiting,
  newAuthenticatedPayment,
  newWaitingPayment,
  resultOf,
  type WaitingPayment,
} from '../../test/threeds-payment.ts'

/** The built-in bank asks for this one elsewhere, and has its answer after three seconds. */
const DECOUPLED = '4000000000002834'
const elsewhere = { status: 'authenticating', transStatus: 'D', challenge: null }

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const sessionOf = ({ sessionId }: WaitingPayment) => platform().call(contract.threeds.get, { params: { sessionId } })
  const goOn = ({ payment }: WaitingPayment) =>
    platform().request('POST', `/api/payments/v1/payments/${payment.id}/continue`)
  const eventsOf = async ({ sessionId }: WaitingPayment) =>
    (
      await platform().services.db.read(
        `SELECT event_type FROM events WHERE account_id = ? AND properties <> replace(properties, ?, '') ORDER BY id`,
        [platform().local.accountId, sessionId],
      )
    ).map((row) => row['event_type'])

  test('a payment whose buyer the bank asks elsewhere is paid without the page: by the event, and by continuing it', async () => {
    const waiting = await newWaitingPayment(platform(), { number: DECOUPLED })
    expect(await authenticateWaiting(platform(), waiting)).toEqual(elsewhere)
    expect(await sessionOf(waiting)).toMatchObject({ status: 'authenticating', outcome: 'pending', transStatus: 'D' })
    expect(await goOn(waiting)).toMatchObject({ status: 409, error: { code: 'state_conflict' } })
    const before = (await eventsOf(waiting)).length

    platform().clock.advance(3_000)
    await expect.poll(() => sessionOf(waiting)).toMatchObject({ status: 'successful', transStatus: 'Y' })
    expect((await eventsOf(waiting)).slice(before)).toEqual(['s_threeds_session_succeeded'])
    expect((await goOn(waiting)).body).toMatchObject({ status: 'succeeded' })
  })

  test('the bank learns how long it has, and is asked once however often the page is loaded', async () => {
    const waiting = await newWaitingPayment(platform(), { number: DECOUPLED })
    platform().clock.advance(90_000)
    for (let loads = 0; loads < 3; loads++) {
      expect(await authenticateWaiting(platform(), waiting)).toEqual(elsewhere)
    }
    const { transcript } = await sessionOf(waiting)
    const asked = transcript.filter(({ type }) => type === 'AReq')
    expect(asked.map(({ message }) => message)).toEqual([
      expect.objectContaining({ threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00029' }),
    ])
  })

  test('a buyer whom the bank begins to ask in the last minute has half an hour from then', async () => {
    const waiting = await newWaitingPayment(platform(), { number: DECOUPLED })
    platform().clock.advance(29 * 60_000 + 1_000)
    expect(await authenticateWaiting(platform(), waiting)).toEqual(elsewhere)
    const { expiresAt } = await sessionOf(waiting)
    expect(Date.parse(expiresAt)).toBe(platform().clock.now() + 30 * 60_000)
  })

  test('a buyer who gives up waiting has given up: what the bank says later changes nothing', async () => {
    const waiting = await newAuthenticatedPayment(platform(), DECOUPLED)
    const result = await resultOf(platform(), waiting.sessionId, { authenticationType: '04' })
    await platform().call(contract.threedsFrame.cancel, { body: { actionToken: waiting.actionToken } })
    expect(JSON.parse(JSON.stringify(await platform().receiveThreedsResult(result)))).toMatchObject({
      messageType: 'RRes',
      resultsStatus: '02',
    })
    expect(await sessionOf(waiting)).toMatchObject({ status: 'cancelled', outcome: 'cancelled' })
    expect(await goOn(waiting)).toMatchObject({ status: 402 })
  })

  test('a buyer whom the bank could not reach in time has run out of time', async () => {
    const waiting = await newAuthenticatedPayment(platform(), DECOUPLED)
    const change = { transStatus: 'U', authenticationValue: undefined, challengeCancel: '03', authenticationType: '04' }
    await platform().receiveThreedsResult(await resultOf(platform(), waiting.sessionId, change))
    expect(await sessionOf(waiting)).toMatchObject({ status: 'expired', outcome: 'timed_out' })
  })
})
