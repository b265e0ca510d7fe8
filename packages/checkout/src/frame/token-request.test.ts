import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { type RequestEnvironment, requestToken } from './token-request.ts'

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
const { x = '', y = '' } = await exportJWK(publicKey)
const jwk = { kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' } as const
const config = {
  id: 'f1',
  origin: 'https://shop.example',
  key: 'test_pk_1',
  session: 's1',
  now: 1_750_000_000_000,
  jwk,
}
const card = { number: '4242424242424242', expMonth: 12, expYear: 2030, cvc: '123' }
const shown = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030, funding: 'credit' }

/** A browser at a fixed time, whose network does what the test says. */
function browser(fetch: RequestEnvironment['fetch']): RequestEnvironment {
  return { fetch, crypto, now: () => 1_750_000_000_999 }
}

test('the vault gets the card, encrypted, with the shop and the moment it is meant for', async () => {
  const requests: [unknown, RequestInit | undefined][] = []
  const answer = { serviceToken: 'st', card: shown, expiresAt: '2030-01-01T00:00:00.000Z' }
  const ambient = browser(async (url, init) => {
    requests.push([url, init])
    return Response.json(answer, { status: 201 })
  })

  expect(await requestToken({ card }, config, ambient)).toEqual({
    type: 'token',
    serviceToken: 'st',
    card: shown,
  })

  const [[url, init] = []] = requests
  expect(url).toBe('/api/vault/v1/tokens')
  expect(init?.headers).toEqual({ Authorization: 'Bearer test_pk_1', 'Content-Type': 'application/json' })
  const { plaintext } = await compactDecrypt((await new Response(init?.body).json()).jwe, privateKey)
  const jti = expect.stringMatching(/^[\w-]{22}$/)
  const bound = { ...card, iat: 1_750_000_000, jti, origin: 'https://shop.example', session: 's1' }
  expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(bound)
})

test('the security code of a saved card is sent to an operation of its own, with a solved challenge', async () => {
  const requests: [unknown, RequestInit | undefined][] = []
  const token = { paymentInstrumentId: 'pi_1', securityCodeToken: 'ct', card: shown }
  const ambient = browser(async (url, init) => {
    requests.push([url, init])
    return Response.json(token, { status: 201 })
  })
  const code = { paymentInstrumentId: 'pi_1', cvc: '123' }
  const answer = await requestToken({ card: code, challengeResponse: 'solved' }, config, ambient)
  expect(answer).toEqual({ type: 'code', ...token })
  const [[url, init] = []] = requests
  expect(url).toBe('/api/vault/v1/security-codes')
  const { jwe, challengeResponse } = await new Response(init?.body).json()
  expect(challengeResponse).toBe('solved')
  const { plaintext } = await compactDecrypt(jwe, privateKey)
  expect(JSON.parse(new TextDecoder().decode(plaintext))).toMatchObject(code)
})

test('a card that cannot be encrypted is not sent, and the page is answered', async () => {
  const wrong = { ...config, jwk: { ...jwk, x: 'AA' } }
  const answer = await requestToken(
    { card },
    wrong,
    browser(() => Promise.reject(new Error('Nothing is to be sent.'))),
  )
  expect(answer).toMatchObject({ type: 'failed', code: 'network_failed' })
})

test('a required challenge is distinguished from a refusal', async () => {
  const error = { code: 'challenge_required', message: 'Solve the challenge.', requestId: 'req_1' }
  const ambient = browser(async () => Response.json({ error }, { status: 403 }))
  const wanted = { type: 'failed', code: 'challenge_required', message: 'Solve the challenge.', requestId: 'req_1' }
  expect(await requestToken({ card }, config, ambient)).toEqual(wanted)
})

test("a refusal carries the vault's words and request id", async () => {
  const error = { type: 'card_error', code: 'expired_card', message: 'The card has expired.', requestId: 'req_1' }
  const ambient = browser(async () => Response.json({ error }, { status: 402 }))
  const refusal = { type: 'failed', code: 'tokenize_rejected', message: 'The card has expired.', requestId: 'req_1' }
  expect(await requestToken({ card }, config, ambient)).toEqual(refusal)
})

test.each([
  ['a page of a gateway', new Response('<h1>502</h1>', { status: 502 })],
  ['a success without a token', Response.json({}, { status: 201 })],
])('%s is a refusal without words', async (_, response) => {
  const refusal = { type: 'failed', code: 'tokenize_rejected', message: null, requestId: null }
  expect(
    await requestToken(
      { card },
      config,
      browser(async () => response),
    ),
  ).toEqual(refusal)
})

test('a broken connection is distinguished from a refusal', async () => {
  const ambient = browser(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await requestToken({ card }, config, ambient)).toEqual({
    type: 'failed',
    code: 'network_failed',
    message: null,
    requestId: null,
  })
})
