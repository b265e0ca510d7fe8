import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../../platform/test/test-platform.ts'
import {
  authenticateWaiting,
  CHALLENGE_CARD,
  newAuthenticatedPayment,
  newWaitingPayment,
} from '../../../platform/test/threeds-payment.ts'
import { cresIn } from '../../test/issuer.ts'
import type { Faults } from './scenario.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (sessionId: string) => platform().call(contract.threeds.get, { params: { sessionId } })

  async function post(path: string, fields: Record<string, string>): Promise<string> {
    const response = await fetch(`${platform().apiUrl}/acs/${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    return response.text()
  }

  /** A payment whose buyer is challenged, with a fault, and has typed a code: its session, and the page that came. */
  async function challenged(code: string, faults: Faults = {}) {
    await platform().request('POST', '/acs/control', { body: { next: { faults } } })
    const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    const { challenge } = await authenticateWaiting(platform(), waiting)
    expect(challenge?.acsUrl).toBe(`${platform().apiUrl}/acs/challenge`)
    await post('challenge', { creq: challenge?.creq ?? '' })
    const { acsTransactionId } = await read(waiting.sessionId)
    const page = await post('challenge/answer', { transaction: acsTransactionId ?? '', code })
    return { ...waiting, page }
  }

  test.for([
    ['1234', 'authenticated', 'Y'],
    ['7777', 'attempted', 'A'],
    ['1111', 'failed', 'N'],
    ['2222', 'rejected', 'R'],
    ['3333', 'unavailable', 'U'],
  ] as const)(
    'after the code %s the session is %s before the browser is back',
    async ([code, outcome, transStatus]) => {
      const { sessionId } = await challenged(code)
      expect(await read(sessionId)).toMatchObject({ outcome, transStatus })
    },
  )

  test('the transcript of a session holds the whole exchange, without the card number', async () => {
    const { sessionId } = await challenged('1234')
    const { transcript } = await read(sessionId)
    expect(transcript.map(({ type }) => type)).toEqual(['AReq', 'ARes', 'CReq', 'RReq', 'RRes', 'CRes'])
    expect(transcript[0]?.message).toMatchObject({ acctNumber: '400000******2503', deviceChannel: '02' })
    expect(JSON.stringify(transcript)).not.toContain(CHALLENGE_CARD)
  })

  test('a success claimed by the browser does not override a failure', async () => {
    const { sessionId, page } = await challenged('1111', { cres: 'contradicts' })
    expect(cresIn(page)?.cres['transStatus']).toBe('Y')
    expect(await read(sessionId)).toMatchObject({ outcome: 'failed', transStatus: 'N' })
  })

  test('a result that comes twice is received once, and one that comes after the browser is received too', async () => {
    const twice = await challenged('1234', { rreq: 'twice' })
    const { outcome, transcript } = await read(twice.sessionId)
    expect([outcome, transcript.filter(({ type }) => type === 'RRes').length]).toEqual(['authenticated', 2])
    const after = await challenged('1234', { rreq: 'after' })
    expect(await read(after.sessionId)).toMatchObject({ outcome: 'pending' })
    platform().clock.advance(1_000)
    await expect.poll(async () => (await read(after.sessionId)).outcome).toBe('authenticated')
  })

  test.for(['never', 'malformed', 'wrong_transaction'] as const)(
    'with a result that comes with the fault %s the session waits for another',
    async (rreq) => {
      const { sessionId } = await challenged('1234', { rreq })
      expect(await read(sessionId)).toMatchObject({ outcome: 'pending', status: 'challenge_required' })
    },
  )

  test('a challenge that no browser comes for is timed out after 30 seconds', async () => {
    const { sessionId } = await newAuthenticatedPayment(platform(), CHALLENGE_CARD)
    platform().clock.advance(30_000)
    await expect.poll(async () => (await read(sessionId)).outcome).toBe('timed_out')
    expect((await read(sessionId)).challengeCancel).toBe('05')
  })
})
