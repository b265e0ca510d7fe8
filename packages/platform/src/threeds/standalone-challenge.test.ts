import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { authenticationBody, newThreedsSession } from '../../test/authenticate-card.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { CHALLENGE_CARD, newChallengedPayment, newWaitingPayment, resultOf } from '../../test/threeds-payment.ts'

const VALUE = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA='
const encode = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64url')

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (sessionId: string) => platform().call(contract.threeds.get, { params: { sessionId } })
  const authenticate = (sessionId: string, change: object = {}) =>
    platform().call(contract.threeds.authenticate, { body: { ...authenticationBody(sessionId), ...change } })
  const receive = async (sessionId: string, change: { transStatus?: string; messageCategory?: string } = {}) =>
    platform().receiveThreedsResult(await resultOf(platform(), sessionId, change))
  const challenged = async (change: object = {}) => {
    const { id } = await newThreedsSession(platform(), { number: CHALLENGE_CARD })
    return { id, challenge: await authenticate(id, change) }
  }

  test('after a challenge the value is read once', async () => {
    const { id } = await challenged()
    expect(await read(id)).toMatchObject({ status: 'challenge_required', authenticationValue: null })
    await receive(id)
    const [first, second] = [await read(id), await read(id)]
    expect(first).toMatchObject({ status: 'successful', eci: '05', authenticationValue: VALUE })
    expect(second).toEqual({ ...first, authenticationValue: null })
  })

  test('a client with an earlier answer gets the value all the same', async () => {
    const { id } = await challenged()
    await receive(id)
    const sent = { key: platform().local.adminApiKey, headers: { 'If-None-Match': '*' } }
    const ask = () => platform().request('GET', `/api/payments/v1/threeds-sessions/${id}`, sent)
    const answer = await ask()
    expect([answer.status, Object(answer.body).authenticationValue]).toEqual([200, VALUE])
    expect((await ask()).status).toBe(304)
  })

  it('of many that read it at once, one gets the value', async () => {
    const { id } = await challenged()
    await receive(id)
    const reads = await Promise.all(Array.from({ length: 8 }, () => read(id)))
    expect(reads.filter(({ authenticationValue }) => authenticationValue === VALUE)).toHaveLength(1)
  })

  test('the request repeated has the open challenge, then the outcome as often as it is asked for', async () => {
    const { id, challenge } = await challenged()
    expect(await authenticate(id)).toEqual(challenge)
    await receive(id)
    const ended = await authenticate(id)
    expect(ended).toMatchObject({
      status: 'successful',
      transStatus: 'Y',
      eci: '05',
      authenticationValue: VALUE,
      liabilityShifted: true,
      acsChallengeUrl: null,
      creq: null,
    })
    expect(ended.dsTransactionId).not.toBeNull()
    expect(await authenticate(id)).toEqual(ended)
    expect(await read(id)).toMatchObject({ status: 'successful', authenticationValue: null })
  })

  test('a challenge for nothing to pay ends by a result of its own category', async () => {
    const { id } = await challenged({ purchaseInfo: { amount: '0', currency: 'USD' } })
    await receive(id, { messageCategory: '02' })
    expect(await read(id)).toMatchObject({ status: 'successful', eci: '05' })
  })

  test('a challenge that has failed comes to no value', async () => {
    const { id } = await challenged()
    await receive(id, { transStatus: 'N' })
    expect(await authenticate(id)).toMatchObject({ status: 'failed', transStatus: 'N', authenticationValue: null })
    expect(await read(id)).toMatchObject({ status: 'failed', authenticationValue: null })
  })

  test('a value that was told at once is not told again by a read', async () => {
    const { id } = await newThreedsSession(platform())
    expect((await authenticate(id)).authenticationValue).not.toBeNull()
    expect(await read(id)).toMatchObject({ status: 'successful', authenticationValue: null })
  })

  test('messages of a session are told without the value', async () => {
    const { id } = await newThreedsSession(platform())
    const { authenticationValue } = await authenticate(id)
    const { transcript } = await read(id)
    expect(transcript.map(({ type }) => type)).toContain('ARes')
    expect(JSON.stringify(transcript)).not.toContain(String(authenticationValue))
  })

  test('the value of a payment’s session goes to its processor alone', async () => {
    const { sessionId } = await newChallengedPayment(platform())
    await receive(sessionId)
    expect(await read(sessionId)).toMatchObject({ status: 'successful', authenticationValue: null })
  })

  test('a payment’s session is authenticated for its payment alone, whatever a server would have the bank vouch for', async () => {
    const { sessionId, payment } = await newWaitingPayment(platform())
    const body = { ...authenticationBody(sessionId), purchaseInfo: { amount: '1', currency: 'USD' } }
    const { status, error } = await platform().request('POST', contract.threeds.authenticate.path, { body })
    expect([status, error.code]).toEqual([409, 'state_conflict'])
    expect(error.message).toContain(payment.id)
    expect(await read(sessionId)).toMatchObject({ status: 'created', transcript: [] })
  })

  test('the browser returns from the bank to the address that was named, which says nothing of the outcome', async () => {
    const returnUrl = 'https://shop.example/return?cart=1&x=%22%3E%3Cscript%3E'
    const { id } = await challenged({ returnUrl })
    const { threeDSServerTransID, acsTransID } = JSON.parse(await resultOf(platform(), id))
    const cres = { messageType: 'CRes', threeDSServerTransID, acsTransID, transStatus: 'Y' }
    const page = await platform().vaultRequest('POST', `/v1/threeds/notify/${threeDSServerTransID}`, {
      key: '',
      body: new URLSearchParams({ cres: encode(cres) }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const [, href = ''] = /<a href="([^"]*)">/.exec(page.text) ?? []
    expect([page.status, href.replaceAll('&amp;', '&')]).toEqual([200, `${returnUrl}&sessionId=${id}`])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    expect(await read(id)).toMatchObject({ status: 'challenge_required' })
  })
})
