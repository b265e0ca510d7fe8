import { hash } from 'node:crypto'
import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import type { Delivery } from '../events/deliveries.ts'
import type { ReplayedPage } from '../events/replays.ts'
import type { WantedRange } from './deliveries.ts'
import { openOperator, type Operator } from './operator.ts'

const PATIENCE = { timeout: 60_000, interval: 5 }
/** After so many a delivery has failed for good. */
const TRIES = 10

describe.each(testableEngines())('on %s', (engine) => {
  let platform: TestPlatform
  let operator: Operator
  let dropIt = async () => {}
  beforeAll(async () => {
    const server = inject('postgresUrl') ?? ''
    const databaseUrl = engine === 'postgres' ? await createDatabase(server) : undefined
    if (databaseUrl !== undefined) dropIt = () => dropDatabase(server, databaseUrl)
    platform = await startTestPlatform(databaseUrl === undefined ? {} : { databaseUrl })
    const vaultKey = hash('sha256', 'vault key', 'base64')
    const keys = { TILLWRIGHT_VAULT_KEY: vaultKey, TILLWRIGHT_SECRETS_KEY: hash('sha256', 'secrets key', 'base64') }
    const shared = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, ...keys }
    operator = await openOperator(readConfig({ TILLWRIGHT_HOME: platform.folder, ...shared }))
  })
  afterAll(async () => {
    await operator.close()
    await platform.remove()
    await dropIt()
  })

  /** An endpoint for new products of the store alone. */
  async function addEndpoint(url: string): Promise<string> {
    const wanted = { url, eventTypes: ['s_product_created'], drafts: false } as const
    const { accountId: account, storeId: store } = platform.local
    const { id, storeId } = await operator.webhooks.add({ ...wanted, account, store })
    expect(storeId).toBe(store)
    onTestFinished(async () => void (await operator.webhooks.remove(id)))
    return id
  }

  async function happen(): Promise<void> {
    const prices = [{ currencyOptions: { USD: { amount: 1_999 } } }]
    const body = { storeId: platform.local.storeId, name: 'Lamp', variants: [{ name: 'Only', prices }] }
    await platform.call(contract.products.create, { body })
  }

  async function deliveries(wanted: Parameters<Operator['deliveries']['list']>[0]): Promise<Delivery[]> {
    return (await operator.deliveries.list(wanted)).data
  }

  async function replayRange(wanted: WantedRange): Promise<ReplayedPage[]> {
    const pages: ReplayedPage[] = []
    for await (const page of operator.deliveries.replayRange(wanted)) pages.push(page)
    return pages
  }

  test('a webhook that failed for good is found among the failed, and arrives when it is replayed', async () => {
    let broken = true
    const receiver = await startReceiver(() => ({ status: broken ? 503 : 200, body: 'closed for the night' }))
    const endpoint = await addEndpoint(receiver.url)
    await happen()
    for (let tries = 1; tries <= TRIES; tries++) {
      await expect.poll(() => deliveries({ endpoint }), PATIENCE).toMatchObject([{ attempts: tries }])
      const [delivery] = await deliveries({ endpoint, state: 'pending' })
      const dueMs = Date.parse(delivery?.nextAttemptAt ?? '')
      if (tries < TRIES) platform.clock.advance(dueMs - platform.clock.now())
    }
    const [dead, ...others] = await deliveries({ endpoint, state: 'failed' })
    expect(others).toEqual([])
    expect(dead).toMatchObject({ lastStatus: 503, lastResponse: 'closed for the night', nextAttemptAt: null })
    expect(dead?.tries).toHaveLength(TRIES)

    broken = false
    const event = dead?.eventId ?? ''
    expect((await operator.deliveries.replay({ event, endpoint })).endpointIds).toEqual([endpoint])
    platform.clock.advance(1_000)
    await expect.poll(() => deliveries({ endpoint, state: 'delivered' }), PATIENCE).toMatchObject([{ attempts: 1 }])
    expect(receiver.ids()).toEqual(Array.from({ length: TRIES + 1 }, () => event))
    expect(await deliveries({ endpoint, state: 'failed' })).toEqual([])
  })

  test('the events of a time arrive again, and a replay that was interrupted goes on behind its cursor', async () => {
    const receiver = await startReceiver()
    const endpoint = await addEndpoint(receiver.url)
    const fromMs = platform.clock.now()
    for (let count = 0; count < 3; count++) {
      platform.clock.advance(1_000)
      await happen()
    }
    await receiver.until(3)
    const range = { endpoint, which: 'all', fromMs, toMs: fromMs + 60_000 } as const
    const pages = await replayRange(range)
    const ids = receiver.ids().toSorted()
    expect(pages).toEqual([{ replayed: 3, after: ids[2] }])
    platform.clock.advance(1_000)
    await receiver.until(6)
    expect(receiver.ids().slice(3).toSorted()).toEqual(ids)
    const [first = ''] = ids
    const rest = await replayRange({ ...range, after: first })
    expect(rest.map(({ replayed }) => replayed)).toEqual([2])
    const earlier = { ...range, fromMs: fromMs + 30_000, after: first }
    await expect(operator.deliveries.replayRange(earlier).next()).rejects.toThrow('--after: ')
  })

  test('the endpoint tells the account, and another account has neither its events nor the endpoint', async () => {
    const endpoint = await addEndpoint((await startReceiver()).url)
    const { accountId } = await platform.addAccount()
    await happen()
    const [delivery] = await deliveries({ endpoint })
    const event = delivery?.eventId ?? ''
    expect((await operator.deliveries.replay({ event, endpoint })).accountId).toBe(platform.local.accountId)
    expect(await deliveries({ account: accountId, endpoint })).toEqual([])
    const { deliveries: managed } = operator
    await expect(managed.replay({ event, account: accountId })).rejects.toThrow(`${accountId} has no event`)
    await expect(managed.replay({ event, account: accountId, endpoint })).rejects.toThrow(`in the account ${accountId}`)
    await expect(managed.replay({ event })).rejects.toThrow('--account: there are several accounts')
  })
})
