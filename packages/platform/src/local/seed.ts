import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Funnel, newFunnel, type NewFunnelInput, newPaymentFlow, newProduct, newStore } from '@tillwright/contract'
import { endedKey, findApiKey, hashKeyText, insertAccount, newApiKey, type NewApiKey } from '../accounts/index.ts'
import { recordNow, worker } from '../audit/index.ts'
import { demoProducts, demoShippingWrite, productWrites, storeWrites } from '../catalog/index.ts'
import { listEndpoints, newEndpoint, removeEndpoint } from '../events/index.ts'
import { findFunnel, funnelWrites } from '../funnels/index.ts'
import { commit, type LocalAccount } from '../http/index.ts'
import { insertProcessor } from '../processors/index.ts'
import type { RequestContext, Services, Write } from '../request-context.ts'
import { paymentFlowWrites } from '../routing/index.ts'
import { newId } from '../runtime/index.ts'

/** The local platform's account, with the secrets that a developer needs. */
export interface Seed extends LocalAccount {
  webhookEndpointId: string
  adminApiKey: string
  webhookSecret: string
}

/** Where the secrets are kept, and the page that the card form may stand in and that webhooks go to. */
export interface SeedOptions {
  folder: string
  shopUrl: string
}

/**
 * Creates the local account on the first start, and finds it with the same keys on later ones, as long as they are good.
 *
 * The file with the secrets is written before the rows are committed: a crash in between leaves secrets without an
 * account, which the next start replaces, but never an account whose keys are lost. An account from before funnels
 * existed gets its own in the same order.
 */
export async function seedLocalAccount(services: Services, { folder, shopUrl }: SeedOptions): Promise<Seed> {
  const file = join(folder, 'seed.json')
  const known = await readSeed(file)
  const rows = known === null ? [] : await services.db.read('SELECT id FROM accounts WHERE id = ?', [known.accountId])
  if (known !== null && rows.length > 0) {
    await commit(pointAtShop(known, shopUrl), services)
    const seed = await withGoodKeys(await withFunnel(known, file, services), { file, shopUrl }, services)
    return withEndpoint(seed, { file, shopUrl }, services)
  }
  const seed = await keepSeed(buildSeed(services, shopUrl), file, services)
  return withEndpoint(seed, { file, shopUrl }, services)
}

/** The secrets first, then the rows. */
async function keepSeed({ seed, writes }: BuiltSeed, file: string, services: Services): Promise<Seed> {
  await writeSeed(seed, file)
  const { accountId } = seed
  const resource = { type: 'account', id: accountId }
  const recorded = recordNow({ accountId, actor: worker('local'), operation: 'local.seed', resource }, services)
  await commit([...writes, ...recorded], services)
  return seed
}

async function writeSeed(seed: Seed, file: string): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(seed, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

interface BuiltSeed {
  seed: Seed
  writes: Write[]
}

/** A seed as an earlier version may have written it. */
type KnownSeed = Omit<Seed, 'funnelId' | 'stepId'> & { funnelId?: string }

/**
 * Runs in a transaction after all others, so that the shop gets no events about its own creation. An endpoint missing
 * from the file comes from an interrupted start, and its secret is lost. One that was removed since is not recreated.
 */
async function withEndpoint(
  seed: Seed,
  { file, shopUrl }: { file: string; shopUrl: string },
  services: Services,
): Promise<Seed> {
  const { accountId, webhookEndpointId } = seed
  if (webhookEndpointId !== '') return seed
  const unknown = await listEndpoints(services.db, accountId)
  const wanted = { url: webhookUrl(shopUrl), eventTypes: '*' as const, drafts: false }
  const { endpoint, secret, writes } = newEndpoint(wanted, seedCall(services, accountId))
  await commit([...unknown.flatMap(({ id }) => removeEndpoint(accountId, id)), ...writes], services)
  const whole = { ...seed, webhookEndpointId: endpoint.id, webhookSecret: secret }
  await writeSeed(whole, file)
  return whole
}

/** The funnel's steps may have been changed since. */
async function withFunnel(known: KnownSeed, file: string, services: Services): Promise<Seed> {
  const { accountId, storeId, funnelId = '' } = known
  const stored = await findFunnel(funnelId, accountId, services.db)
  if (stored !== null) return { ...known, ...funnelIds(stored.funnel) }
  const { funnel, writes } = seedFunnel(storeId, seedCall(services, accountId))
  return keepSeed({ seed: { ...known, ...funnelIds(funnel) }, writes }, file, services)
}

/** Keys that were rolled or revoked, or have expired, are made anew: without them nobody could work with the platform. */
async function withGoodKeys(
  seed: Seed,
  { file, shopUrl }: { file: string; shopUrl: string },
  services: Services,
): Promise<Seed> {
  const names = ['apiKey', 'adminApiKey', 'publishableKey'] as const
  const areGood = await Promise.all(names.map((name) => isGood(seed[name], services)))
  if (areGood.every(Boolean)) return seed
  const made = seedKeys({ ...seed, origin: new URL(shopUrl).origin }, services)
  const anew = names.filter((_, index) => areGood[index] !== true)
  const texts = Object.fromEntries(anew.map((name) => [name, made[name].text]))
  return keepSeed({ seed: { ...seed, ...texts }, writes: anew.map((name) => made[name].write) }, file, services)
}

async function isGood(text: string, { db, clock }: Services): Promise<boolean> {
  const key = await findApiKey(hashKeyText(text), db)
  return key !== null && endedKey(key, clock.now()) === null
}

function seedFunnel(storeId: string, context: RequestContext): { funnel: Funnel; writes: Write[] } {
  return funnelWrites(newFunnel.parse(demoFunnel(storeId)), context)
}

function funnelIds({ id, steps }: Funnel): Pick<Seed, 'funnelId' | 'stepId'> {
  return { funnelId: id, stepId: steps.find(({ isEntry }) => isEntry)?.id ?? '' }
}

async function readSeed(file: string): Promise<KnownSeed | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null // missing, or truncated by a full disk: recreated
  }
}

function webhookUrl(shopUrl: string): string {
  return new URL('webhooks', shopUrl.replace(/\/*$/, '/')).href
}

/** The shop may have moved to another port since. Keys for other pages stay as they were made. */
function pointAtShop({ accountId, webhookEndpointId }: KnownSeed, shopUrl: string): Write[] {
  return [
    {
      sql: 'UPDATE webhook_endpoints SET url = ?, enabled = 1, failing_since = NULL WHERE account_id = ? AND id = ?',
      params: [webhookUrl(shopUrl), accountId, webhookEndpointId],
    },
    {
      sql: `UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'
        AND (name IS NULL OR name = 'Shop page')`,
      params: [JSON.stringify([new URL(shopUrl).origin]), accountId],
    },
  ]
}

function buildSeed(services: Services, shopUrl: string): BuiltSeed {
  const context = seedCall(services)
  const { accountId } = context.caller
  const storeId = context.newId('store')
  const { apiKey, adminApiKey, publishableKey } = seedKeys(
    { accountId, storeId, origin: new URL(shopUrl).origin },
    services,
  )
  const texts = { apiKey: apiKey.text, adminApiKey: adminApiKey.text, publishableKey: publishableKey.text }
  const processors = ['North', 'South'].map((name) => ({
    id: context.newId('processor'),
    accountId,
    name,
    driver: 'simulator' as const,
  }))
  const processorConfigs = processors.map(({ id }) => ({ processorId: id, weight: 1 }))
  const flow = paymentFlowWrites(
    newPaymentFlow.parse({ data: { name: 'Two simulated processors', strategy: 'cascade', processorConfigs } }).data,
    context,
  )
  const store = storeWrites(
    newStore.parse({ id: storeId, name: 'Fernhill Supply', baseCurrency: 'USD', selectedPaymentFlowId: flow.flow.id }),
    context,
  )
  // iDEAL, debits and vouchers are paid in euros: with these prices a shop can offer them.
  const products = demoProducts(storeId, ['EUR', 'USD']).map((product) =>
    productWrites(newProduct.parse(product), context),
  )
  const funnel = seedFunnel(storeId, context)
  const writes = [
    insertAccount({ id: accountId, name: 'Local account', plan: 'standard' }, context.nowMs),
    ...[apiKey, adminApiKey, publishableKey].map(({ write }) => write),
    ...processors.map((processor) => insertProcessor(processor, context.nowMs)),
    ...flow.writes,
    ...store.writes,
    demoShippingWrite({ storeId, currency: 'USD' }, context),
    ...products.flatMap((product) => product.writes),
    ...funnel.writes,
  ]
  const productId = products[0]?.productId ?? ''
  const ids = { accountId, storeId, productId, paymentFlowId: flow.flow.id, ...funnelIds(funnel.funnel) }
  return {
    seed: { ...ids, ...texts, webhookEndpointId: '', webhookSecret: '' }, // its endpoint follows
    writes,
  }
}

/** The seed is made by the platform itself, with the code that serves requests. The account is a new one unless named. */
function seedCall(services: Services, accountId?: string): RequestContext {
  const nowMs = services.clock.now()
  const makeId: RequestContext['newId'] = (prefix) => newId(prefix, nowMs, services.randomness)
  return {
    services,
    nowMs,
    newId: makeId,
    requestId: makeId('req'),
    address: '',
    idempotencyKey: null,
    fault: null,
    begin: (writes) => commit(writes, services),
    caller: {
      accountId: accountId ?? makeId('acc'),
      actor: { kind: 'worker', id: 'local', name: null },
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
  services: Services,
) {
  const make = (key: Omit<NewApiKey, 'accountId'>) => newApiKey({ accountId, ...key }, services)
  return {
    apiKey: make({ kind: 'secret', name: 'Shop server' }),
    adminApiKey: make({ kind: 'secret', name: 'Administration', roles: ['org:admin'] }),
    publishableKey: make({ kind: 'publishable', name: 'Shop page', storeId, allowedOrigins: [origin] }),
  }
}

/** The funnel that a new shop begins with: checkout, one upsell, thank-you page. */
function demoFunnel(storeId: string): NewFunnelInput {
  return {
    storeId,
    name: 'Demo funnel',
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout' },
      { type: 'upsell', name: 'One more thing', path: '/one-more-thing' },
      { type: 'thank_you', name: 'Thank you', path: '/thank-you' },
    ],
  }
}
