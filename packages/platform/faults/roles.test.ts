import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contract } from '@tillwright/contract'
import { hasOpenssl } from '../test/channel-files.ts'
import { deployBody } from '../test/plugins/deploy-plugin.ts'
import { visit } from '../test/plugins/visit.ts'
import { CHALLENGE_CARD, threedsActionOf } from '../test/threeds-payment.ts'
import { engines, newPlace } from './new-place.ts'
import { foundInMemory, openRoleShop, type RoleProcess } from './role-processes.ts'

/** A number that is in no list of test cards, so that no program holds it. */
const NUMBER = '4539578763621486'
/** Passes without a challenge. */
const FRICTIONLESS = '4000002500003155'

/** Several processes share PostgreSQL alone, and `openssl` makes the certificates of their channel. */
describe.skipIf(!engines.includes('postgres') || !hasOpenssl)('processes of one role each', () => {
  test('a card is paid, with and without 3-D Secure, and the api and worker never have the card key or a number', async () => {
    const shop = await openRoleShop(await newPlace('postgres'))
    const vault = await shop.start('vault', { TILLWRIGHT_VAULT_KEY: shop.vaultKey, TILLWRIGHT_VAULT_CHANNEL_PORT: '0' })
    const calls = { TILLWRIGHT_VAULT_CHANNEL_URL: `https://localhost:${vault.channelPort}` }
    const [api, worker] = await Promise.all([shop.start('api', calls), shop.start('worker', calls)])
    const typed = await newCard(shop, { api, vault }, NUMBER)
    expect(await shop.pay(api, { paymentInstrumentId: typed })).toMatchObject({
      status: 201,
      body: { status: 'succeeded' },
    })
    const secured = await newCard(shop, { api, vault }, FRICTIONLESS)
    const waiting = await shop.pay(api, { paymentInstrumentId: secured, threeds: true })
    expect(waiting.body).toMatchObject({ status: 'requires_action' })
    const { id, nextAction } = waiting.body as { id: string; nextAction: { actionToken: string } }
    expect((await shop.authenticate(vault, nextAction.actionToken)).body).toMatchObject({ status: 'successful' })
    const path = contract.payments.continue.path.replace('{paymentId}', id)
    expect(await shop.request(`http://127.0.0.1:${api.port}${path}`, {})).toMatchObject({
      body: { status: 'succeeded' },
    })
    const session = await shop.threedsSession(api, secured)
    expect(session.body).toMatchObject({ transStatus: 'Y' })
    const charges = await shop.read('SELECT with_code FROM simulator_charges')
    expect(charges).toEqual([{ with_code: 1 }, { with_code: 1 }])
    for (const { pid, output } of [api, worker]) {
      expect(readFileSync(`/proc/${pid}/environ`).includes(shop.vaultKey)).toBe(false)
      expect(foundInMemory(pid, [shop.vaultKey, Buffer.from(shop.vaultKey, 'base64'), NUMBER])).toEqual([])
      expect(output()).not.toContain(NUMBER)
    }
    expect(foundInMemory(vault.pid, [shop.vaultKey])).toEqual([shop.vaultKey]) // the search would find it
  }, 60_000)

  test('a buyer whose bank asks is authenticated, and a plugin is shown, by processes that do nothing else', async () => {
    const shop = await openRoleShop(await newPlace('postgres'))
    const vault = await shop.start('vault', { TILLWRIGHT_VAULT_KEY: shop.vaultKey, TILLWRIGHT_VAULT_CHANNEL_PORT: '0' })
    const calls = { TILLWRIGHT_VAULT_CHANNEL_URL: `https://localhost:${vault.channelPort}` }
    const [api, plugins] = await Promise.all([shop.start('api', calls), shop.start('plugins')])
    const { storeId } = await shop.prepare(api)

    const paymentInstrumentId = await newCard(shop, { api, vault }, CHALLENGE_CARD)
    const waiting = await shop.pay(api, { paymentInstrumentId, threeds: true })
    const { id, nextAction } = contract.payments.create.response.parse(waiting.body)
    const { challenge } = contract.threedsFrame.authenticate.response.parse(
      (await shop.authenticate(vault, threedsActionOf({ nextAction }).actionToken)).body,
    )
    const bank = `http://127.0.0.1:${api.port}/acs/challenge`
    const asked = await post(bank, { creq: challenge?.creq ?? '' })
    const [, transaction = ''] = /name="transaction" value="([^"]+)"/.exec(asked) ?? []
    const [, cres = ''] =
      /name="cres" value="([^"]+)"/.exec(await post(`${bank}/answer`, { transaction, code: '1234' })) ?? []
    expect(JSON.parse(Buffer.from(cres, 'base64url').toString())).toMatchObject({ transStatus: 'Y' })
    const path = contract.payments.continue.path.replace('{paymentId}', id)
    const paid = await shop.request(`http://127.0.0.1:${api.port}${path}`, {})
    expect(paid.body).toMatchObject({ status: 'succeeded' })

    const deployed = await shop.request(
      `http://127.0.0.1:${api.port}${contract.plugins.deploy.path}`,
      deployBody(storeId),
    )
    const { deployment } = contract.plugins.deploy.response.parse(deployed.body)
    const { host } = new URL(deployment?.url ?? '')
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.7' }
    const shown = await visit({ apiUrl: `http://127.0.0.1:${plugins.port}` }, { host, headers })
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('<title>Checkout</title>')])
    const refused = await fetch(`http://127.0.0.1:${plugins.port}${contract.payments.create.path}`, {
      method: 'POST',
      headers,
    })
    expect(refused.status).toBe(404)
  }, 60_000)

  test('when a process of the vault dies during payments another one takes them, with their codes, once each', async () => {
    const shop = await openRoleShop(await newPlace('postgres'))
    const own = { TILLWRIGHT_VAULT_KEY: shop.vaultKey, TILLWRIGHT_VAULT_CHANNEL_PORT: '0' }
    const [first, second] = await Promise.all([shop.start('vault', own), shop.start('vault', own)])
    const urls = [first, second].map(({ channelPort }) => `https://localhost:${channelPort}`).join(',')
    const api = await shop.start('api', { TILLWRIGHT_VAULT_CHANNEL_URL: urls })
    const cards: string[] = []
    for (let n = 0; n < 12; n++) cards.push(await newCard(shop, { api, vault: first }, NUMBER))
    const paying = cards.map((paymentInstrumentId) => shop.pay(api, { paymentInstrumentId }))
    await Promise.race(paying)
    await first.kill('SIGKILL')
    const statuses = (await Promise.all(paying)).map(({ status, body }) => [status, body['status']])
    expect(statuses).toEqual(cards.map(() => [201, 'succeeded']))
    const charges = await shop.read('SELECT with_code, captured FROM simulator_charges')
    expect(charges).toEqual(cards.map(() => ({ with_code: 1, captured: 500 })))

    const left = await newCard(shop, { api, vault: second }, NUMBER)
    await second.kill('SIGKILL')
    const begun = performance.now()
    const refused = await shop.pay(api, { paymentInstrumentId: left })
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'processing_error' } } })
    expect(performance.now() - begun).toBeLessThan(8_000)
    expect(await shop.read('SELECT with_code FROM simulator_charges')).toHaveLength(cards.length)
  }, 60_000)
})

async function post(url: string, fields: Record<string, string>): Promise<string> {
  const headers = { 'X-Forwarded-Proto': 'https', Accept: 'text/html' }
  return (await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) })).text()
}

async function newCard(
  shop: Awaited<ReturnType<typeof openRoleShop>>,
  { api, vault }: { api: RoleProcess; vault: RoleProcess },
  number: string,
): Promise<string> {
  await shop.prepare(api)
  return shop.redeem(api, await shop.typeCard(vault, { number }))
}
