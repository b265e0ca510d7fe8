import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import { beginSession } from '../../../test/buyer-session.ts'
import { newPreviewSession } from '../../../test/new-funnel.ts'
import { sharedPlatform, SHOP_URL, startTestPlatform, type TestPlatform } from '../../../test/test-platform.ts'
import { encryptCard } from '../../../test/vault/encrypt-card.ts'
import { findApiKey, hashKeyText, revokeApiKey } from '../../accounts/api-keys.ts'
import type { PublicJwk } from '../../vault/jwe.ts'
import { commit } from '../operations/commit.ts'

const HOUR_MS = 60 * 60 * 1_000
const platform = sharedPlatform()

test('a card form arrives with these headers and no others', async () => {
  const { headers } = await load(platform(), platform().local.publishableKey)
  const { date, 'content-length': length, connection, 'keep-alive': keepAlive, ...own } = headers
  expect([date, length, connection, keepAlive].every((header) => header !== undefined)).toBe(true)
  expect(own).toEqual({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}=' 'sha256-[A-Za-z0-9+/]{43}='; style-src 'sha256-[A-Za-z0-9+/]{43}='; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors http:\/\/127\.0\.0\.1:9; require-trusted-types-for 'script'; trusted-types 'none'$/,
    ),
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'integrity-policy': 'blocked-destinations=(script)',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
})

test('a 3-D Secure frame is sent in the language of the page, with a policy that lets in banks alone', async () => {
  const { vaultRequest, local } = platform()
  const query = new URLSearchParams({ key: local.publishableKey, origin: SHOP_URL, id: 'f_1', locale: 'fr' })
  const { status, headers, text } = await vaultRequest('GET', `/v1/threeds?${query}`, { key: '' })
  expect(status).toBe(200)
  expect(text).toContain('<title>Vérification de la carte</title>')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src 'sha256-[A-Za-z0-9+/]{43}='; connect-src 'self'; frame-src https: http:; form-action https: http:; base-uri 'none'; frame-ancestors http:\/\/127\.0\.0\.1:9; /,
  )
  // A page with this header may embed only frames that send it too, and banks do not.
  expect(headers['cross-origin-embedder-policy']).toBeUndefined()
  const refused = await vaultRequest('GET', `/v1/threeds?${query}&return=https://evil.example/`, { key: '' })
  expect(refused.status).toBe(400)
})

test('the console may hold the forms of a preview that is open, and of nothing else', async () => {
  const { addKey, apiUrl, clock, local, vaultRequest } = platform()
  const { storeId } = local
  const keyOf = (store: string) => addKey({ kind: 'publishable', allowedOrigins: [SHOP_URL], storeId: store })
  const key = await keyOf(storeId)
  const ancestors = async (preview: string, sent: { key?: string; frame?: string; return?: string } = {}) => {
    const query = new URLSearchParams({ key, origin: SHOP_URL, id: 'f_1', preview, ...sent })
    const { headers } = await vaultRequest('GET', `/v1/${sent.frame ?? 'card'}?${query}`, { key: '' })
    return /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
  }
  const { sessionId } = await newPreviewSession(platform())
  const withConsole = `${SHOP_URL} ${apiUrl}`
  expect(await ancestors(sessionId)).toBe(withConsole)
  expect(await ancestors(sessionId, { frame: 'threeds' })).toBe(withConsole)
  expect(await ancestors(sessionId, { frame: 'threeds', return: `${SHOP_URL}/` })).toBe("'none'")

  const { session } = await beginSession(platform())
  for (const other of [session.sessionId, '', 'https://evil.example', apiUrl, 'fsn_none'])
    expect(await ancestors(other), other).toBe(SHOP_URL)
  expect(await ancestors(sessionId, { key: await keyOf('store_other') })).toBe(SHOP_URL)
  expect(await ancestors(sessionId, { key: await addKey({ kind: 'publishable', allowedOrigins: [SHOP_URL] }) })).toBe(
    SHOP_URL,
  )
  clock.advance(HOUR_MS)
  expect(await ancestors(sessionId)).toBe(SHOP_URL)
})

test('the part of the loader for 3-D Secure may be imported by any page', async () => {
  const { status, headers, text } = await platform().vaultRequest('GET', '/v1/threeds.js', { key: '' })
  expect([status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    '*',
  ])
  expect(text).toMatch(/export\{[\w$]+ as authenticate\b/)
})

test('a card form is sent to pages of keys that are good here and now', async () => {
  const { addKey, services, clock, local } = platform()
  const add = (key: object) => addKey({ kind: 'publishable', allowedOrigins: [SHOP_URL], ...key })
  const [good, expiring, revoked] = [await add({}), await add({ expiresAtMs: clock.now() + HOUR_MS }), await add({})]
  const status = async (key: string) => (await load(platform(), key)).status
  expect([await status(good), await status(expiring), await status(revoked)]).toEqual([200, 200, 200])
  const { caller } = (await findApiKey(hashKeyText(revoked), services.db)) ?? {}
  await commit([revokeApiKey(local.accountId, caller?.keyId ?? '', clock.now())], services)
  clock.advance(HOUR_MS)
  expect([await status(good), await status(expiring), await status(revoked)]).toEqual([200, 404, 404])
  const live = await add({ text: `live_pk_${'0'.repeat(36)}` })
  expect([await status(live), await status(local.apiKey), await status('')]).toEqual([404, 404, 404])
})

test.skipIf(inject('postgresUrl') === null)('two platforms on one PostgreSQL rotate their keys together', async () => {
  const server = inject('postgresUrl') ?? ''
  const databaseUrl = await createDatabase(server)
  onTestFinished(() => dropDatabase(server, databaseUrl))
  const one = await startTestPlatform({ databaseUrl })
  onTestFinished(() => one.remove())
  const two = await startTestPlatform({ databaseUrl, clock: one.clock })
  onTestFinished(() => two.remove())
  const { clock, local } = one
  const key = local.publishableKey
  const formOf = async (of: TestPlatform) => settingsOf((await load(of, key)).text)
  const send = async (to: TestPlatform, { jwk, session }: FrameSettings, jti: string) => {
    const iat = Math.floor(clock.now() / 1_000)
    const jwe = await encryptCard(jwk, { session, iat, jti, origin: SHOP_URL, expYear: 2040 })
    return (await to.vaultRequest('POST', '/api/vault/v1/tokens', { body: { jwe }, key })).status
  }

  const former = await formOf(one)
  expect((await formOf(two)).jwk).toEqual(former.jwk)
  clock.advance(90 * 24 * HOUR_MS)
  const current = await formOf(two)
  expect(current.jwk.kid).not.toBe(former.jwk.kid)
  expect((await formOf(one)).jwk).toEqual(current.jwk)
  expect([await send(one, current, 'A'.repeat(22)), await send(two, current, 'B'.repeat(22))]).toEqual([201, 201])
  expect([await send(one, former, 'C'.repeat(22)), await send(two, former, 'D'.repeat(22))]).toEqual([201, 201])
  clock.advance(24 * HOUR_MS)
  expect([await send(one, former, 'E'.repeat(22)), await send(two, former, 'F'.repeat(22))]).toEqual([400, 400])
  expect(await send(one, current, 'G'.repeat(22))).toBe(201)
})

// The form reads the origin that it talks to from its address, and trusts it because the vault answered.
test.each([
  ['a second origin counts for neither', 'origin=SHOP&origin=https%3A%2F%2Fevil.example', 200],
  ['the first origin counts for both', 'origin=https%3A%2F%2Fevil.example&origin=SHOP', 403],
  ['a name may be written by numbers', '%6frigin=https%3A%2F%2Fevil.example&origin=SHOP', 403],
  ['a name with a plus is another name', '+origin=https%3A%2F%2Fevil.example&origin=SHOP', 200],
])('the vault reads a frame’s address as a browser does: %s', async (_, rest, status) => {
  const { vaultRequest, local } = platform()
  const search = `?key=${local.publishableKey}&id=f_1&${rest.replace('SHOP', encodeURIComponent(SHOP_URL))}`
  const answer = await vaultRequest('GET', `/v1/card${search}`, { key: '' })
  expect(answer.status).toBe(status)
  const isForShop = new URLSearchParams(search).get('origin') === SHOP_URL
  expect(isForShop).toBe(status === 200)
})

interface FrameSettings {
  jwk: PublicJwk
  session: string
}

function load({ vaultRequest }: TestPlatform, key: string) {
  const query = new URLSearchParams({ key, origin: SHOP_URL, id: 'f_1' })
  return vaultRequest('GET', `/v1/card?${query}`, { key: '' })
}

function settingsOf(html: string): FrameSettings {
  const [, attribute = ''] = /data-frame="?([^" >]*)/.exec(html) ?? []
  return JSON.parse(attribute.replaceAll('&quot;', '"'))
}
