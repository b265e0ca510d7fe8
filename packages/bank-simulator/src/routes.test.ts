import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { authenticationBody, newThreedsSession } from '../../platform/test/authenticate-card.ts'
import { sharedPlatform, ruleEngines } from '../../platform/test/test-platform.ts'
import { answerRequest, type BankRequest } from './routes.ts'
import type { SimulatedBank } from './simulated-bank.ts'
import type { Clock, Database, ThreedsServer } from './dependencies.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const authenticate = (sessionId: string) =>
    platform().call(contract.threeds.authenticate, { body: authenticationBody(sessionId) })
  const control = (body: unknown, key?: string) =>
    platform().request('POST', '/acs/control', { body, ...(key !== undefined && { key }) })

  const page = { accept: 'text/html' }

  /** Posts a form to a page of the bank, as a browser does. */
  async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = page) {
    const response = await fetch(platform().apiUrl + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test('a challenge is begun and ended over HTTP, under a policy that lets one script run and one form leave', async () => {
    const { id } = await newThreedsSession(platform(), { number: '4000000000002503' })
    const { acsTransactionId, creq } = await authenticate(id)
    const shown = await post('/acs/challenge', { creq: creq ?? '', threeDSSessionData: 'c2hvcA' })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('$19.99')
    expect(shown.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; form-action 'self'; base-uri 'none'$/,
    )
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const end = await post('/acs/challenge/answer', {
      transaction: acsTransactionId ?? '',
      action: 'confirm',
      code: ' 1234 ',
    })
    expect(end.text).toContain('name="threeDSSessionData" value="c2hvcA"')
    expect(end.headers.get('content-security-policy')).toMatch(
      /script-src 'sha256-[^']+'; .*form-action https?:\/\/[^ ;']+;/,
    )
    const state = await platform().request('GET', `/acs/challenge/${acsTransactionId}/state`)
    expect(state.body).toEqual({ ended: true })
  })

  test('who comes with something wrong is shown a page, and a program the Erro', async () => {
    const shown = await post('/acs/challenge', { creq: 'e30' })
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('The bank cannot go on')])
    const german = await post('/acs/challenge', { creq: 'e30' }, { ...page, 'accept-language': 'de-DE,de;q=0.9' })
    expect(german.text).toContain('Die Bank kann nicht fortfahren')
    const erro = await post('/acs/challenge', {}, { accept: '*/*' })
    expect([erro.status, JSON.parse(erro.text)]).toEqual([
      400,
      expect.objectContaining({ messageType: 'Erro', errorCode: '101', errorComponent: 'A' }),
    ])
    const unknown = await post('/acs/challenge/answer', { transaction: "x' OR 1=1" }, { accept: '*/*' })
    expect(JSON.parse(unknown.text)).toMatchObject({ errorCode: '301' })
  })

  test('what a page shows of a request cannot become part of the page', async () => {
    const session = await newThreedsSession(platform(), { number: '4000000000002503' })
    const body = authenticationBody(session.id)
    const merchantName = '"><script>alert(1)</script>'
    const hostile = { ...body, processorConfig: { ...body.processorConfig, merchantName } }
    const { creq } = await platform().call(contract.threeds.authenticate, { body: hostile })
    const { text } = await post('/acs/challenge', { creq: creq ?? '' })
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
  })

  test('the method page of a range answers, and a form that is too large is not read', async () => {
    const method = await post('/acs/method', { threeDSMethodData: 'e30' })
    expect([method.status, method.text]).toEqual([200, expect.stringContaining('Please wait')])
    const large = await post('/acs/challenge', { creq: 'a'.repeat(70_000) }).catch(() => null)
    expect(large?.status ?? 413).toBe(413)
  })

  test('the next outcome is arranged with the account’s key, for its account alone', async () => {
    expect(await control({ next: { outcome: 'R' } })).toMatchObject({ status: 200, body: { success: true } })
    const first = await newThreedsSession(platform())
    expect(await authenticate(first.id)).toMatchObject({ status: 'rejected' })
    const second = await newThreedsSession(platform())
    const { apiKey } = await platform().addAccount()
    await control({ next: { outcome: 'R' } }, apiKey)
    await control({ next: { outcome: 'N' }, threeDSServerTransID: second.externalSessionId })
    expect(await authenticate(second.id)).toMatchObject({ status: 'failed' })
  })

  test.for([
    ['nothing', {}, 'next'],
    ['an outcome that there is not', { next: { outcome: 'X' } }, 'next.outcome'],
    ['a fault that there is not', { next: { faults: { rreq: 'sometimes' } } }, 'next.faults.rreq'],
    ['a transaction that is none', { next: {}, threeDSServerTransID: '7' }, 'threeDSServerTransID'],
  ] as const)('%s cannot be arranged', async ([, body, param]) => {
    const refused = await control(body)
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid', param } } })
  })

  test('without a key, or with a publishable one, nothing is arranged', async () => {
    expect(await control({ next: {} }, '')).toMatchObject({ status: 401 })
    expect((await control({ next: {} }, platform().local.publishableKey)).status).toBeGreaterThanOrEqual(401)
  })
})

// Neither is asked for what there is not.
const bank = {} as SimulatedBank
const server = {} as ThreedsServer
const db = {} as Database
const clock = {} as Clock

test.for([
  ['POST', '/acs/control'],
  ['GET', '/acs/timeline'],
])('outside local there is nothing at %s %s', async ([method = '', path = '']) => {
  const request = { method, path } as BankRequest
  expect(await answerRequest(request, bank, { server, db, clock, isLocal: false })).toBeNull()
})

test.for([
  ['GET', '/acs/control'],
  ['PUT', '/acs/challenge'],
  ['GET', '/acs'],
  ['GET', '/acs/challenge/a/b/state'],
])('nowhere is there anything at %s %s', async ([method = '', path = '']) => {
  const request = { method, path } as BankRequest
  expect(await answerRequest(request, bank, { server, db, clock, isLocal: true })).toBeNull()
})
