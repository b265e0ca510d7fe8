import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPaymentFlow, newProduct, newStore } from '@tillwright/contract'
import { insertAccount } from '../accounts/accounts.ts'
import { newApiKey, type NewApiKey } from '../accounts/api-keys.ts'
import { newId } from '../ambient/ids.ts'
import type { Call, Parts, Write } from '../call.ts'
import { demoProducts } from '../catalog/demo-products.ts'
import { productWrites } from '../catalog/products.ts'
import { storeWrites } from '../catalog/stores.ts'
import { newEndpoint } from '../events/webhook-endpoints.ts'
import { commit } from '../http/commit.ts'
import { paymentFlowWrites } from '../payments/payment-flows.ts'
import { insertProcessor } from '../payments/processors.ts'

/** What the local platform's account consists of, with the secrets that a developer needs. */
export interface Seed {
  accountId: string
  storeId: string
  productId: string
  paymentFlowId: string
  webhookEndpointId: string
  apiKey: string
  adminApiKey: string
  publishableKey: string
  webhookSecret: string
}

/** Where the secrets are kept, and the page that the card form may stand in and that webhooks go to. */
export interface SeedOptions {
  folder: string
  shopUrl: string
}

/**
 * The local account: made at the first start, found again at the next, with the same keys.
 *
 * The file with the secrets is written before the rows are committed: a crash in between leaves secrets without an
 * account, which the next start replaces, and never an account whose keys nobody knows.
 */
export async function seedLocalAccount(parts: Parts, { folder, shopUrl }: SeedOptions): Promise<Seed> {
  const file = join(folder, 'seed.json')
  const known = await readSeed(file)
  const rows = known === null ? [] : await parts.db.read('SELECT id FROM accounts WHERE id = ?', [known.accountId])
  if (known !== null && rows.length > 0) {
    await commit(pointAtShop(known, shopUrl), parts)
    return known
  }
  const { seed, writes } = buildSeed(parts, shopUrl)
  await writeFile(`${file}.new`, JSON.stringify(seed, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
  await commit(writes, parts)
  return seed
}

async function readSeed(file: string): Promise<Seed | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null // missing, or cut off by a full disk: made anew
  }
}

function webhookUrl(shopUrl: string): string {
  return new URL('/webhooks', shopUrl).href
}

/** The shop may have moved to another port since. */
function pointAtShop({ accountId, webhookEndpointId }: Seed, shopUrl: string): Write[] {
  return [
    {
      sql: 'UPDATE webhook_endpoints SET url = ?, enabled = 1, failing_since = NULL WHERE account_id = ? AND id = ?',
      params: [webhookUrl(shopUrl), accountId, webhookEndpointId],
    },
    {
      sql: `UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'`,
      params: [JSON.stringify([new URL(shopUrl).origin]), accountId],
    },
  ]
}

function buildSeed(parts: Parts, shopUrl: string): { seed: Seed; writes: Write[] } {
  const call = seedCall(parts)
  const { accountId } = call.caller
  const storeId = call.newId('store')
  const keys = seedKeys({ accountId, storeId, origin: new URL(shopUrl).origin }, parts)
  const processors = ['North', 'South'].map((name) => ({
    id: call.newId('processor'),
    accountId,
    name,
    driver: 'simulator' as const,
  }))
  const endpoint = newEndpoint({ url: webhookUrl(shopUrl), eventTypes: '*', drafts: false }, call)
  const processorConfigs = processors.map(({ id }) => ({ processorId: id, weight: 1 }))
  const flow = paymentFlowWrites(
    newPaymentFlow.parse({ data: { name: 'Two simulated processors', strategy: 'cascade', processorConfigs } }).data,
    call,
  )
  const store = storeWrites(
    newStore.parse({ id: storeId, name: 'Demo shop', baseCurrency: 'USD', selectedPaymentFlowId: flow.flow.id }),
    call,
  )
  const products = demoProducts(storeId, 'USD').map((product) => productWrites(newProduct.parse(product), call))
  const writes = [
    insertAccount({ id: accountId, name: 'Local account', plan: 'standard' }, call.nowMs),
    ...keys.writes,
    ...processors.map((processor) => insertProcessor(processor, call.nowMs)),
    ...flow.writes,
    ...store.writes,
    ...products.flatMap((product) => product.writes),
    ...endpoint.writes, // last: the shop is not told of its own beginnings
  ]
  const ids = { accountId, storeId, productId: products[0]?.productId ?? '', paymentFlowId: flow.flow.id }
  return {
    seed: { ...ids, webhookEndpointId: endpoint.endpoint.id, ...keys.texts, webhookSecret: endpoint.secret },
    writes,
  }
}

/** The seed is made by the platform itself, with the code that serves requests. */
function seedCall(parts: Parts): Call {
  const nowMs = parts.clock.now()
  const makeId: Call['newId'] = (prefix) => newId(prefix, nowMs, parts.randomness)
  return {
    parts,
    nowMs,
    newId: makeId,
    requestId: makeId('req'),
    address: '',
    idempotencyKey: null,
    begin: (writes) => commit(writes, parts),
    caller: {
      accountId: makeId('acc'),
      keyId: '',
      kind: 'secret',
      roles: ['org:admin'],
      scopes: [],
      plan: 'standard',
      rateLimit: { perMinute: 0, burst: 0 },
      storeId: null,
      allowedOrigins: [],
    },
  }
}

function seedKeys(
  { accountId, storeId, origin }: { accountId: string; storeId: string; origin: string },
  parts: Parts,
) {
  const make = (key: Omit<NewApiKey, 'accountId'>) => newApiKey({ accountId, ...key }, parts)
  const apiKey = make({ kind: 'secret', name: 'Shop server' })
  const adminApiKey = make({ kind: 'secret', name: 'Administration', roles: ['org:admin'] })
  const publishableKey = make({ kind: 'publishable', name: 'Shop page', storeId, allowedOrigins: [origin] })
  return {
    writes: [apiKey.write, adminApiKey.write, publishableKey.write],
    texts: { apiKey: apiKey.text, adminApiKey: adminApiKey.text, publishableKey: publishableKey.text },
  }
}
