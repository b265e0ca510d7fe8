import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { browserData } from '../../test/browser-data.ts'
import { sendRequest } from '../../test/send-request.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { CHALLENGE_CARD, newWaitingPayment, type WaitingPayment } from '../../test/threeds-payment.ts'

/** The form that a page submits: its target and fields. */
function formOf(page: string): { target: string; fields: Record<string, string> } {
  const target = /<form[^>]* action="([^"]*)"/.exec(page)?.[1] ?? ''
  const inputs = [...page.matchAll(/<input[^>]* name="(\w+)" value="([^"]*)"/g)]
  return { target, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) }
}

/** Posts a form as a browser does. */
async function post(url: string, fields: Record<string, string>): Promise<string> {
  const answer = await sendRequest('POST', url, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.text
}

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  /** Goes the way of a browser up to the challenge: the issuer's method page, then the authentication. */
  async function begin({ actionToken }: WaitingPayment) {
    const { method } = await platform().call(contract.threedsFrame.start, { body: { actionToken } })
    const page = await post(method?.url ?? '', { threeDSMethodData: method?.data ?? '' })
    const notification = formOf(page)
    expect(await post(notification.target, notification.fields)).toContain('data-step="method"')
    const body = { actionToken, browser: browserData, methodCompletion: 'N' } as const
    const { challenge } = await platform().call(contract.threedsFrame.authenticate, { body })
    return challenge ?? expect.fail('the card has no challenge')
  }

  /** Opens the challenge and answers it; then what the bank's page sends the browser back with. */
  async function answerWith(code: string, waiting: WaitingPayment, action = 'confirm') {
    const { acsUrl, creq } = await begin(waiting)
    const { fields } = formOf(await post(acsUrl, { creq }))
    const end = await post(`${platform().apiUrl}/acs/challenge/answer`, { ...fields, action, code })
    const back = formOf(end)
    expect(back.target).toContain(`${platform().vaultUrl}/v1/threeds/notify/`)
    expect(await post(back.target, back.fields)).toContain('data-step="challenge"')
  }

  const resultOf = ({ actionToken }: WaitingPayment) =>
    platform().call(contract.threedsFrame.result, { body: { actionToken } })
  const resume = ({ payment }: WaitingPayment) =>
    platform().request('POST', `/api/payments/v1/payments/${payment.id}/continue`)

  test('a buyer who knows the code is authenticated and the card is charged; every message of it is on record', async () => {
    const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    await answerWith('1234', waiting)
    expect(await resultOf(waiting)).toEqual({ status: 'successful', transStatus: 'Y', outcome: 'authenticated' })
    expect((await resume(waiting)).body).toMatchObject({ status: 'succeeded' })
    const { sessionId } = waiting
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId } })
    const types = transcript.map(({ type }) => type)
    for (const type of ['Method', 'AReq', 'ARes', 'CReq', 'RReq', 'RRes', 'CRes']) expect(types).toContain(type)
    expect(transcript.find(({ type }) => type === 'AReq')?.message).toMatchObject({
      deviceChannel: '02',
      threeDSCompInd: 'Y',
      browserLanguage: 'en-GB',
      browserColorDepth: '24',
      acctNumber: '400000******2503',
    })
    expect(JSON.stringify(transcript)).not.toContain(CHALLENGE_CARD)
  })

  test.for([
    ['1111', 'confirm', 'failed', 'N', 'failed'],
    ['2222', 'confirm', 'rejected', 'R', 'rejected'],
    ['3333', 'confirm', 'unavailable', 'U', 'unavailable'],
    ['7777', 'confirm', 'attempted', 'A', 'attempted'],
    ['', 'cancel', 'cancelled', 'N', 'cancelled'],
  ] as const)('the code %j and %s: the session is %s', async ([code, action, status, transStatus, outcome]) => {
    const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    await answerWith(code, waiting, action)
    expect(await resultOf(waiting)).toEqual({ status, transStatus, outcome })
    expect((await resume(waiting)).status).toBe(status === 'attempted' ? 200 : 402)
  })

  test('a bank that tells the browser the opposite of its result is not believed', async () => {
    const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    const next = { outcome: 'C', faults: { cres: 'contradicts' } }
    const control = await platform().request('POST', '/acs/control', { body: { next } })
    expect(control.status, control.text).toBe(200)
    await answerWith('1111', waiting)
    const [row] = await platform().services.db.read('SELECT cres_status FROM threeds_sessions WHERE id = ?', [
      waiting.sessionId,
    ])
    expect(row?.['cres_status']).toBe('Y')
    expect(await resultOf(waiting)).toMatchObject({ status: 'failed', outcome: 'failed' })
    expect((await resume(waiting)).error.declineCode).toBe('authentication_failed')
  })

  test.for([
    ['is malformed', { ares: 'malformed' }],
    ['is of another transaction', { ares: 'wrong_transaction' }],
    ['is a duplicate', { ares: 'duplicate' }],
    ['leads to a script', { acsUrl: 'script' }],
    ['leads to a document', { acsUrl: 'document' }],
    ['leads to a page without HTTPS', { acsUrl: 'plain' }],
    ['leads to an address of 2,049 characters', { acsUrl: 'long' }],
  ] as const)(
    'a directory server whose answer %s leaves the session unavailable, and nothing is charged',
    async ([, faults]) => {
      const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
      await platform().request('POST', '/acs/control', { body: { next: { faults } } })
      const { actionToken } = waiting
      const body = { actionToken, browser: browserData, methodCompletion: 'U' } as const
      const step = await platform().call(contract.threedsFrame.authenticate, { body })
      expect(step).toEqual({ status: 'unavailable', transStatus: null, challenge: null })
      expect((await resume(waiting)).error.declineCode).toBe('authentication_unavailable')
    },
  )
})
