import type { PublicJwk } from '../../src/vault/jwe.ts'
import type { Dice } from '../machine/dice.ts'
import { authenticate } from './authentication.ts'
import { verdictAmounts } from './bank.ts'
import { CARD_NUMBERS, encryptCard, SHOP_ORIGIN } from './card-form.ts'
import type { Call, Network } from './client.ts'
import { riskAmounts } from './merchant.ts'
import type { Answer } from './platforms.ts'
import type { PluginMemory } from './plugin.ts'
import { PROMOTION, type Shop } from './shop.ts'
import type { World } from './world.ts'

/** The memory of a world's people and servers, compared with the platform's state at the end. */
export interface Memory {
  /** Each thing requested once, by its idempotency key, with the final answer; `null` while there is none. */
  wanted: Map<string, Answer | null>
  /** Acknowledged entries of the store's configuration. */
  merged: string[]
  /** The number of acknowledged submissions of evidence, by the dispute's id. */
  evidence: Map<string, number>
  /** The acknowledged quantities of subscriptions from their next period on, by id. */
  quantities: Map<string, number>
  /** The times of the limited account's allowed requests. */
  allowedMs: number[]
  /** The plugin's deployments, settings and visits. */
  plugin: PluginMemory
}

/** The environment of people. */
export interface Town {
  world: World
  network: Network
  shop: Shop
  memory: Memory
  /** The public key that card forms encrypt with. */
  jwk: PublicJwk
}

/** A person with a plan, who repeats each request until it is answered. */
export type Person = (name: string, town: Town) => Promise<void>

const RETRIES_MAX = 200
/** The longest `Retry-After` that a person accepts. A form that has sent many cards is refused for up to an hour. */
const PATIENCE_MS = 3 * 60_000

/** Repeats a request until its outcome is known, as clients are advised to. */
export async function insist(call: Call, { network, world, memory }: Town, dice: Dice): Promise<Answer | null> {
  const { idempotencyKey: key } = call
  if (key !== undefined) memory.wanted.set(key, null)
  for (let tries = 0; tries < RETRIES_MAX; tries++) {
    const answer = await network.send(call)
    if (answer !== null && isFinal(answer)) {
      if (key !== undefined) memory.wanted.set(key, answer)
      return answer
    }
    const askedMs = 1_000 * Number(answer?.headers.get('retry-after') ?? 0)
    if (askedMs > PATIENCE_MS) {
      world.count('people sent away for long')
      return null
    }
    await network.pause(Math.max(askedMs, dice.between(200, 400 * Math.min(tries + 1, 10))))
  }
  world.fail(`${call.who} has asked ${RETRIES_MAX} times for ${call.path} with the key ${key} and is not answered`)
  return null
}

/** Whether an answer is final. After faults, limits and a first request still in progress, the request is repeated. */
function isFinal({ status, text }: Answer): boolean {
  if (status >= 500 || status === 429) return false
  return !text.includes('"code":"idempotency_key_in_use"')
}

/** The JSON of an answer; an empty object if there is none. */
export function read(answer: Answer | null): Record<string, unknown> {
  return answer === null || answer.text === '' ? {} : JSON.parse(answer.text)
}

/** A buyer and the shop's server: types a card, pays a few times, and gets refunds. */
export const buyer: Person = async (name, town) => {
  const { world, network, shop } = town
  const dice = world.dice.fork(name)
  const ask = (call: Omit<Call, 'who' | 'apiKey'>) => insist({ who: name, apiKey: shop.apiKey, ...call }, town, dice)
  await network.pause(dice.between(0, 8_000))
  const instrument = await newInstrument(name, town, dice)
  if (instrument === null) return
  const times = 1 + dice.below(4)
  for (let n = 1; n <= times; n++) {
    const payment = read(
      await ask({
        method: 'POST',
        path: '/api/payments/v1/payments',
        idempotencyKey: `${name}-pay-${n}`,
        body: { storeId: shop.storeId, paymentInstrumentId: instrument, currency: 'USD', ...whatIsBought(shop, dice) },
      }),
    )
    const { actionToken }: { actionToken?: string } = Object(payment['nextAction'])
    if (actionToken !== undefined) {
      const browse = (call: Omit<Call, 'who'>) => insist({ who: name, ...call }, town, dice)
      await authenticate(actionToken, {
        ask: browse,
        pause: network.pause,
        dice,
        publishableKey: shop.publishableKey,
      })
      await goOn(`${name}-${n}`, { paymentId: String(payment['id']), ask, dice, town })
    }
    if (typeof payment['id'] === 'string')
      await afterwards(`${name}-${n}`, { paymentId: payment['id'], ask, dice, town })
    await network.pause(dice.between(500, 8_000))
  }
}

/** Draws the body of an order. */
function whatIsBought({ variantId, recurringVariantId, askingFlowId }: Shop, dice: Dice): object {
  const lines = (id: string) => ({ lines: [{ variantId: id, quantity: 1 }] })
  const kind = dice.below(12)
  if (kind < 3) return { ...lines(variantId), promotionCodes: [PROMOTION.code] }
  if (kind < 4) return lines(recurringVariantId)
  if (kind === 10) return { amount: 10_000 * (1 + dice.below(8)) + verdictAmounts.threeds }
  if (kind === 11) return { amount: 10_000 * (1 + dice.below(8)), paymentFlowId: askingFlowId }
  const verdict = dice.chance(0.35)
    ? dice.pick([...Object.values(verdictAmounts), ...Object.values(riskAmounts)])
    : dice.below(1_000)
  const amount = 10_000 * (1 + dice.below(8)) + verdict
  return { amount, captureMethod: dice.chance(0.45) ? 'manual' : 'automatic' }
}

function frameSessionOf(name: string, { frameSessions }: Shop): string {
  return frameSessions[Number(/\d+$/.exec(name)?.[0]) - 1] ?? ''
}

async function newInstrument(name: string, town: Town, dice: Dice): Promise<string | null> {
  const { world, shop, jwk } = town
  const number = dice.pick(CARD_NUMBERS)
  for (let n = 1; n <= 20; n++) {
    const typed = { number, session: frameSessionOf(name, shop), nowMs: world.scheduler.nowMs, dice }
    const token = await insist(
      {
        who: name,
        origin: 'vault',
        method: 'POST',
        path: '/api/vault/v1/tokens',
        apiKey: shop.publishableKey,
        headers: { origin: SHOP_ORIGIN },
        body: { jwe: encryptCard(jwk, typed) },
      },
      town,
      dice,
    )
    const { serviceToken } = read(token)
    // A token whose answer was lost is left behind, as if the page was reloaded.
    if (typeof serviceToken !== 'string') continue
    const made = await insist(
      {
        who: name,
        method: 'POST',
        path: '/api/public/v1/payment-instruments/create-from-token',
        apiKey: shop.apiKey,
        idempotencyKey: `${name}-card-${n}`,
        body: {
          serviceToken,
          storeId: shop.storeId,
          customerData: { email: `${name}@example.com`, firstName: name, lastName: 'Buyer' },
        },
      },
      town,
      dice,
    )
    const instrument: unknown = read(made)['paymentInstrument']
    if (made?.status === 201 && dice.chance(0.3)) await spendAgain(name, { serviceToken, town, dice })
    if (typeof instrument === 'object' && instrument !== null && 'id' in instrument) return String(instrument.id)
  }
  return null
}

/** An attacker who tries a used token once more, for a card of their own. */
async function spendAgain(name: string, { serviceToken, town, dice }: Spending): Promise<void> {
  const { shop, world } = town
  const again = await insist(
    {
      who: name,
      method: 'POST',
      path: '/api/public/v1/payment-instruments/create-from-token',
      apiKey: shop.apiKey,
      idempotencyKey: `${name}-again`,
      body: { serviceToken, storeId: shop.storeId, customerData: { email: `again-${name}@example.com` } },
    },
    town,
    dice,
  )
  if (again?.status === 201) world.fail(`tokens: that of ${name} was spent twice`)
}

interface Spending {
  serviceToken: string
  town: Town
  dice: Dice
}

interface Afterwards {
  paymentId: string
  ask: (call: Omit<Call, 'who' | 'apiKey'>) => Promise<Answer | null>
  dice: Dice
  town: Town
}

/** The shop's server continues a payment whose buyer is back, sometimes from two tabs, or too early. */
async function goOn(key: string, { paymentId, ask, dice, town }: Afterwards): Promise<void> {
  for (let tries = 1; tries <= 3; tries++) {
    const tabs = Array.from({ length: dice.chance(0.3) ? 2 : 1 }, (_, tab) => `${key}-continue-${tries}-${tab + 1}`)
    const path = `/api/payments/v1/payments/${paymentId}/continue`
    const answers = await Promise.all(tabs.map((idempotencyKey) => ask({ method: 'POST', path, idempotencyKey })))
    if (answers.some((answer) => answer?.status !== 409)) return
    await town.network.pause(dice.between(1_000, 6_000))
  }
}

/** The shop's captures, refunds and voids after a payment. Some of them must be refused. */
async function afterwards(key: string, { paymentId, ask, dice, town }: Afterwards): Promise<void> {
  const path = `/api/payments/v1/payments/${paymentId}`
  const change = (what: string, body?: object) =>
    ask({
      method: 'POST',
      path: `${path}/${what}`,
      idempotencyKey: `${key}-${what}-${dice.below(1_000_000_000)}`,
      ...(body !== undefined && { body }),
    })
  const steps = dice.below(4)
  for (let n = 0; n < steps; n++) {
    await town.network.pause(dice.between(100, 9_000))
    const { status, amount: total } = read(await ask({ method: 'GET', path }))
    const amount = Number(total)
    switch (status) {
      case 'authorized':
        if (dice.chance(0.3)) await change('void')
        else await change('capture', dice.chance(0.5) ? {} : { amount: 1 + dice.below(amount) })
        break
      case 'succeeded':
      case 'partially_refunded':
        // Two concurrent refunds, of which at most the captured amount may succeed.
        await Promise.all(
          Array.from({ length: dice.chance(0.3) ? 2 : 1 }, () =>
            change('refund', dice.chance(0.3) ? {} : { amount: 1 + dice.below(amount) }),
          ),
        )
    }
  }
}

/** People act at multiples of this time, so that several do so at once, as if prompted by the same message. */
export const TOGETHER_MS = 5_000

/** One of several who change the same configuration concurrently, each from the state they have read. */
export const operator: Person = async (name, town) => {
  const { world, network, shop, memory } = town
  const dice = world.dice.fork(name)
  const path = `/api/catalog/v1/stores/${shop.storeId}`
  const ask = (call: Omit<Call, 'who' | 'apiKey'>) => insist({ who: name, apiKey: shop.adminKey, ...call }, town, dice)
  for (let n = 1; n <= 8; n++) {
    const { nowMs } = world.scheduler
    await network.pause(TOGETHER_MS - (nowMs % TOGETHER_MS))
    const entry = `${name}-${n}`
    for (let tries = 1; tries <= 20; tries++) {
      const { config, revision } = read(await ask({ method: 'GET', path }))
      const entries = typeof config === 'string' ? config.split(',') : []
      const body = { revision, config: [...entries, entry].join(',') }
      const answer = await ask({ method: 'PATCH', path, body, idempotencyKey: `${entry}-${tries}` })
      if (answer?.status === 200) {
        memory.merged.push(entry)
        break
      }
    }
  }
}

/** A client that exceeds the rate limit of its account. */
export const hurrier: Person = async (name, town) => {
  const { world, network, shop, memory } = town
  const dice = world.dice.fork(name)
  for (let burst = 0; burst < 3; burst++) {
    await network.pause(dice.between(1_000, 20_000))
    await Promise.all(
      Array.from({ length: 30 + dice.below(30) }, async () => {
        await network.pause(dice.between(0, 3_000))
        const { apiKey } = shop.limited
        const answer = await network.send({ who: name, method: 'GET', path: '/api/public/v1/auth/test', apiKey })
        if (answer?.status === 200) memory.allowedMs.push(world.scheduler.nowMs)
      }),
    )
  }
}
