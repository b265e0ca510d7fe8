import { randomBytes } from 'node:crypto'
import { bankSimulator } from '@tillwright/bank-simulator'
import type { CardToken, PaymentInstrument } from '@tillwright/contract'
import { readConfig } from '../src/config.ts'
import type { Emitter } from '../src/events/emit.ts'
import { listEndpoints, newEndpoint, removeEndpoint } from '../src/events/endpoints.ts'
import { commit } from '../src/http/operations/commit.ts'
import { type LocalPlatform, startLocal } from '../src/local/start-local.ts'
import type { Write } from '../src/request-context.ts'
import { newId } from '../src/runtime/randomness.ts'
import { frameSession } from '../test/frame-session.ts'
import { encryptCard } from '../test/vault/encrypt-card.ts'
import { newestJwk } from '../test/vault/newest-jwk.ts'
import { type Place, settingsOf } from './place.ts'
import { post } from './post.ts'

/** Key, store, card and webhook secret with which requests sell something at a place. */
export interface Shop {
  apiKey: string
  storeId: string
  /** A card that is charged. */
  instrumentId: string
  /** Of the endpoint; `null` when there is none. */
  webhookSecret: string | null
}

const SHOP_URL = 'http://localhost:4410'

/**
 * Fills an empty place with the local account and a card, and stops the platform that did it.
 *
 * @param webhookUrl The only endpoint of the account from here on; `null` for none.
 */
export async function openShop(place: Place, webhookUrl: string | null): Promise<Shop> {
  const platform = await startLocal(readConfig({ ...settingsOf(place), TILLWRIGHT_LOG_LEVEL: 'silent' }), SHOP_URL, {
    simulator: bankSimulator,
  })
  try {
    await removeSeededEndpoint(platform)
    const instrumentId = await takeCard(platform)
    const webhookSecret = webhookUrl === null ? null : await addEndpoint(platform, webhookUrl)
    const { apiKey, storeId } = platform.local
    return { apiKey, storeId, instrumentId, webhookSecret }
  } finally {
    await platform.stop()
  }
}

/** Every start points the endpoint that belongs to a developer's shop there again; one that is gone stays away. */
async function removeSeededEndpoint({ services, local }: LocalPlatform): Promise<void> {
  const endpoints = await listEndpoints(services.db, local.accountId)
  const writes: Write[] = endpoints.flatMap(({ id }) => removeEndpoint(local.accountId, id))
  await commit(writes, services)
}

async function addEndpoint({ services, local }: LocalPlatform, url: string): Promise<string> {
  const nowMs = services.clock.now()
  const makeId: Emitter['newId'] = (prefix) => newId(prefix, nowMs, services.randomness)
  const caller = { accountId: local.accountId }
  const { secret, writes } = newEndpoint(
    { url, eventTypes: '*', drafts: false },
    { nowMs, newId: makeId, caller, services },
  )
  await commit(writes, services)
  return secret
}

async function takeCard({ services, local, apiUrl, vaultUrl }: LocalPlatform): Promise<string> {
  const sent = {
    iat: Math.floor(services.clock.now() / 1_000),
    jti: randomBytes(16).toString('base64url'),
    origin: SHOP_URL,
    session: await frameSession(services, { key: local.publishableKey, origin: SHOP_URL }),
  }
  const jwe = await encryptCard(await newestJwk(services), sent)
  const token: CardToken = await created(`${vaultUrl}/api/vault/v1/tokens`, local.publishableKey, { jwe })
  const customerData = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const path = '/api/public/v1/payment-instruments/create-from-token'
  const body = { serviceToken: token.serviceToken, storeId: local.storeId, customerData }
  const { paymentInstrument }: { paymentInstrument: PaymentInstrument } = await created(
    `${apiUrl}${path}`,
    local.apiKey,
    body,
  )
  return paymentInstrument.id
}

async function created<Body>(url: string, apiKey: string, body: object): Promise<Body> {
  const answer = await post(url, { apiKey, body: JSON.stringify(body) })
  if (answer?.status !== 201) throw new Error(`${url} answered ${JSON.stringify(answer)}`)
  return JSON.parse(answer.body)
}
