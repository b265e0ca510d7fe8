import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { devStage, type DevStage, stagePlatform, type StagePlatform } from '../../test/dev-stage.ts'
import { shopFiles, shopManifest } from '../../test/shop-plugin.ts'

let platform: StagePlatform
beforeAll(async () => {
  platform = await stagePlatform()
})
afterAll(() => platform.remove())

/** A dev server with a key that is revoked while it runs, and what gives it another one, as a login does. */
async function withRevokedKey(): Promise<{ dev: DevStage; logIn: () => void }> {
  const { apiKey: adminKey } = await platform.find()
  const admin = createClient({ apiKey: adminKey, baseUrl: platform.local().apiUrl })
  const { apiKey, key } = await admin.apiKeys.create({ kind: 'secret', roles: ['org:admin'], scopes: [] })
  let used = key
  const findPlatform = async () => ({ ...(await platform.find()), apiKey: used })
  const dev = await devStage(platform, shopFiles, { findPlatform })
  await admin.apiKeys.revoke({ keyId: apiKey.id })
  const revoked = createClient({ apiKey: key, baseUrl: platform.local().apiUrl })
  // Another process of the platform may know the key for a second.
  await vi.waitFor(() => expect(revoked.accounts.testKey({})).rejects.toThrow('revoked'), {
    timeout: 20_000,
    interval: 200,
  })
  return { dev, logIn: () => void (used = adminKey) }
}

function problemsOf({ events }: DevStage) {
  return events.flatMap((event) => (event.type === 'problems' ? [event.problems] : [])).at(-1)
}

test('a key that is good no more is an error that says so, until there is another', async () => {
  const { dev, logIn } = await withRevokedKey()
  const renew = () => fetch(`${dev.url}/__tillwright/renew`, { method: 'POST' })
  expect((await renew()).status).toBe(500)
  expect(problemsOf(dev)).toMatchObject([{ code: 'session-refused', rule: expect.stringContaining('revoked') }])
  logIn()
  await vi.waitFor(async () => expect((await renew()).status).toBe(200), { timeout: 20_000, interval: 500 })
  expect(problemsOf(dev)).toEqual([])
})

test('a session begins again, with its scenario, as soon as there is another key', async () => {
  const { dev, logIn } = await withRevokedKey()
  await expect(dev.restart()).rejects.toThrow('revoked')
  logIn()
  await dev.restart({ name: 'Thanked', page: 'thanks' })
  expect(dev.events.findLast(({ type }) => type === 'session')).toMatchObject({
    scenario: 'Thanked',
    stepId: 'step-thanks',
  })
})

test('a change of pages is applied when it is saved again after a login', async () => {
  const { dev, logIn } = await withRevokedKey()
  const [pay, thanks] = shopManifest.pages
  await rename(join(dev.root, 'src/pages/thanks.tsx'), join(dev.root, 'src/pages/bye.tsx'))
  await dev.write('plugin.manifest.json', { ...shopManifest, pages: [pay, { ...thanks, id: 'bye' }] })
  await vi.waitFor(() =>
    expect(problemsOf(dev)).toMatchObject([{ code: 'not-applied', fix: expect.stringContaining('tillwright login') }]),
  )
  logIn()
  await dev.write('plugin.manifest.json', { ...shopManifest, pages: [pay, { ...thanks, id: 'bye' }], version: '9.0.0' })
  await vi.waitFor(() => expect(problemsOf(dev)).toEqual([]))
  expect(await dev.dataOf('/thanks/order_1')).toMatchObject({ funnel: { stepId: 'step-bye' } })
})

test('the scopes that the guide names are enough', async () => {
  const { apiKey: adminKey } = await platform.find()
  const admin = createClient({ apiKey: adminKey, baseUrl: platform.local().apiUrl })
  const scopes = ['products:read', 'products:write', 'funnels:read', 'funnels:write'] as const
  const { key } = await admin.apiKeys.create({ kind: 'secret', roles: [], scopes: [...scopes] })
  const dev = await devStage(platform, shopFiles, {
    findPlatform: async () => ({ ...(await platform.find()), apiKey: key }),
  })
  await dev.restart({ name: 'Refused', card: 'declined' })
  expect(dev.events.findLast(({ type }) => type === 'session')).toMatchObject({ scenario: 'Refused' })
})

test('a key that lacks one of them is told all of them at once', async () => {
  const { apiKey: adminKey } = await platform.find()
  const admin = createClient({ apiKey: adminKey, baseUrl: platform.local().apiUrl })
  const { key } = await admin.apiKeys.create({ kind: 'secret', roles: [], scopes: ['products:read'] })
  const findPlatform = async () => ({ ...(await platform.find()), apiKey: key })
  await expect(devStage(platform, shopFiles, { findPlatform })).rejects.toThrow(
    /lacks the scope products:write.* need the scopes products:read, products:write, funnels:read and funnels:write/,
  )
})
