import { setTimeout as delay } from 'node:timers/promises'
import type { Payment } from '@tillwright/contract'
import { fraction, type Randomness } from '../../src/runtime/randomness.ts'
import { browserData } from '../../test/browser-data.ts'
import { neverCharged } from '../never-charged.ts'
import type { Shop } from '../open-shop.ts'
import { type Answer, described, get, isFinal, paymentIdIn, post } from '../post.ts'
import { threedsActionOf } from '../../test/threeds-payment.ts'

/** Kinds of purchases, by the requests of the shop's server. */
export type Kind = 'sale' | 'capture' | 'refund' | 'threeds'

/** A purchase, as the shop's server knows it. */
export interface Purchase {
  kind: Kind
  /** The `Idempotency-Key` of its payment; those of its later requests begin with it. */
  key: string
  /** In minor units. */
  amount: number
  paymentId: string | null
  /** Acknowledged amounts, in minor units. */
  captured: number
  refunded: number
  /** `paid` with all that its kind asks for, `refused` with a final answer, `null` while nothing final was answered. */
  outcome: 'paid' | 'refused' | null
  /** The final answers that refused something, and why the shop gave up. */
  problems: string[]
}

/** Measurements of the shop's server. */
export interface Measured {
  requests: number
  /** Requests that got no final answer at first: a broken connection, 5xx, 429, or a key in use. */
  unanswered: number
  /** The longest wait for any answer, or for a connection to break. */
  longestAnswerMs: number
  /** The request of the longest wait, and how it ended. */
  slowest: string
  /** The longest time from the first request of a step to its outcome, all repetitions included. */
  longestRecoveryMs: number
  /** Each step of a purchase that had an outcome, by `performance.now()`. */
  steps: Step[]
  /** The longest pause that a `Retry-After` asked for. */
  longestRetryAfterMs: number
  /** By what was answered instead: `503 unavailable`, or `no answer`. */
  instead: Map<string, number>
}

/** From the first request of a step to its outcome. `isFaulty`: its requests asked for a fault of the processor. */
export interface Step {
  begunMs: number
  endedMs: number
  isFaulty: boolean
}

/** Where buyers send their requests, and with what. */
export interface Till extends Shop {
  apiUrl: string
  vaultUrl: string
  /** The key of the shop's page. */
  publishableKey: string
  /** A payment flow that has buyers authenticated. */
  threedsFlowId: string
}

/** Buyers at work. */
export interface Buyers {
  purchases: readonly Purchase[]
  measured: Measured
  /** No buyer begins another purchase. */
  stop(): void
  /** Resolves when every purchase has its outcome, or its shop has given up on it. */
  ended: Promise<void>
}

/** How many buy at once, and how long each waits before the next purchase. */
export interface Crowd {
  buyers: number
  pauseMs: number
  randomness: Randomness
  /** A `Tillwright-Fault` header for the payments made now, or `null`. */
  fault?: () => string | null
}

/** Longer than anything may stay without an outcome. */
export const GIVE_UP_MS = 75_000

const KINDS: readonly Kind[] = ['sale', 'sale', 'capture', 'refund', 'threeds']

/** Lets buyers purchase one after the other until they are stopped. Like a real client they repeat what was not answered. */
export function startBuyers(till: Till, { buyers, pauseMs, randomness, fault = () => null }: Crowd): Buyers {
  const purchases: Purchase[] = []
  const measured: Measured = {
    requests: 0,
    unanswered: 0,
    longestAnswerMs: 0,
    slowest: '',
    longestRecoveryMs: 0,
    steps: [],
    longestRetryAfterMs: 0,
    instead: new Map(),
  }
  let stopped = false
  async function buyer(): Promise<void> {
    while (!stopped) {
      const purchase = newPurchase(randomness)
      purchases.push(purchase)
      await new Checkout(till, purchase, { measured, fault: fault() }).run()
      await delay(pauseMs * (0.5 + fraction(randomness)))
    }
  }
  const ended = Promise.all(Array.from({ length: buyers }, buyer)).then(() => {})
  return { purchases, measured, ended, stop: () => void (stopped = true) }
}

function newPurchase(randomness: Randomness): Purchase {
  const kind = KINDS[Math.floor(fraction(randomness) * KINDS.length)] ?? 'sale'
  // Letters alone: with digits one in a few hundred would look like a card number, which the platform refuses.
  const key = Array.from(randomness.bytes(24), (byte) => 'bcdfghjklmnpqrst'[byte % 16]).join('')
  const amount = 2 + Math.floor(fraction(randomness) * 100_000)
  return { kind, key, amount, paymentId: null, captured: 0, refunded: 0, outcome: null, problems: [] }
}

/** The shop gives up: no final answer came in time. */
class GaveUp extends Error {}
/** A final answer refused something. */
class Refused extends Error {}

/** One purchase's requests, one after the other. */
class Checkout {
  readonly #till: Till
  readonly #purchase: Purchase
  readonly #measured: Measured
  readonly #fault: string | null

  constructor(till: Till, purchase: Purchase, { measured, fault }: { measured: Measured; fault: string | null }) {
    this.#till = till
    this.#purchase = purchase
    this.#measured = measured
    this.#fault = fault
  }

  async run(): Promise<void> {
    try {
      await this.#steps()
      this.#purchase.outcome = 'paid'
    } catch (error) {
      if (!(error instanceof GaveUp) && !(error instanceof Refused)) throw error
      if (error instanceof Refused) this.#purchase.outcome = 'refused'
      this.#purchase.problems.push(error.message)
    }
  }

  async #steps(): Promise<void> {
    const purchase = this.#purchase
    const { kind, amount } = purchase
    const path = '/api/payments/v1/payments'
    const created = await this.#payment(path, purchase.key, this.#order())
    if (kind === 'threeds') await this.#authenticate(created)
    if (kind === 'capture') {
      const begun = performance.now()
      await this.#payment(`${path}/${created.id}/capture`, `${purchase.key}-capture`, {})
      await this.#until(created.id, ({ captures }) => captures.every(({ status }) => status !== 'pending'), begun)
    }
    purchase.captured = amount
    if (kind !== 'refund') return
    const part = Math.ceil(amount / 2)
    const begun = performance.now()
    await this.#payment(`${path}/${created.id}/refund`, `${purchase.key}-refund`, { amount: part })
    await this.#until(created.id, ({ refunds }) => refunds.every(({ status }) => status !== 'pending'), begun)
    purchase.refunded = part
  }

  #order(): object {
    const { kind, amount } = this.#purchase
    const { storeId, instrumentId, threedsFlowId } = this.#till
    return {
      storeId,
      paymentInstrumentId: instrumentId,
      currency: 'USD',
      amount,
      ...(kind === 'capture' && { captureMethod: 'manual' }),
      ...(kind === 'threeds' && { paymentFlowId: threedsFlowId }),
    }
  }

  /** The buyer's page authenticates through the vault; then the shop's server continues the payment. */
  async #authenticate({ id, nextAction }: Payment): Promise<void> {
    const { key } = this.#purchase
    const body = {
      actionToken: threedsActionOf({ nextAction }).actionToken,
      browser: browserData,
      methodCompletion: 'U',
    }
    const url = `${this.#till.vaultUrl}/api/vault/v1/threeds/authenticate`
    const step = await this.#ask(url, `${key}-authenticate`, body)
    if (step.status !== 200) throw new Refused(described('authenticate', step))
    const begun = performance.now()
    for (let times = 0; ; times++) {
      const path = `/api/payments/v1/payments/${id}/continue`
      const answer = await this.#ask(`${this.#till.apiUrl}${path}`, `${key}-continue-${times}`, null)
      if (answer.status === 200) return void (await this.#completed(JSON.parse(answer.body)))
      if (answer.status !== 409) throw new Refused(described('continue', answer))
      this.#checkPatience(begun, described('continue', answer))
      await delay(PAUSE_MS)
    }
  }

  async #payment(path: string, key: string, body: object): Promise<Payment> {
    const begun = performance.now()
    const answer = await this.#ask(`${this.#till.apiUrl}${path}`, key, body)
    const payment: Payment = JSON.parse(answer.body)
    if (answer.status >= 300) {
      this.#purchase.paymentId ??= paymentIdIn(answer)
      throw new Refused(neverCharged(answer) ? 'never charged' : described(path, answer))
    }
    this.#purchase.paymentId = payment.id
    const completed = await this.#completed(payment)
    this.#recovered(begun)
    return completed
  }

  /** A payment whose outcome was not known in time is looked up until it is. */
  async #completed(payment: Payment): Promise<Payment> {
    if (payment.status !== 'processing') return payment
    const completed = await this.#until(payment.id, ({ status }) => status !== 'processing')
    if (completed.status === 'failed' || completed.status === 'declined') throw new Refused(`ended ${completed.status}`)
    return completed
  }

  async #until(
    paymentId: string,
    isCompleted: (payment: Payment) => boolean,
    begun = performance.now(),
  ): Promise<Payment> {
    for (;;) {
      const answer = await this.#ask(`${this.#till.apiUrl}/api/payments/v1/payments/${paymentId}`, null, null)
      if (answer.status !== 200) throw new Refused(described('look-up', answer))
      const payment: Payment = JSON.parse(answer.body)
      if (isCompleted(payment)) return (this.#recovered(begun), payment)
      this.#checkPatience(begun, `the payment is ${payment.status}`)
      await delay(PAUSE_MS)
    }
  }

  /** Sends a request until it has a final answer, always with the same key. */
  async #ask(url: string, key: string | null, body: object | null): Promise<Answer> {
    const begun = performance.now()
    for (let tries = 0; ; tries++) {
      const answer = await this.#once(url, key, body)
      if (answer !== null && isFinal(answer)) return (this.#recovered(begun), answer)
      const instead = answer === null ? 'no answer' : described('', answer)
      this.#measured.unanswered += 1
      this.#measured.instead.set(instead, (this.#measured.instead.get(instead) ?? 0) + 1)
      this.#checkPatience(begun, `${new URL(url).pathname}: ${instead}`)
      await delay(this.#pauseMs(answer, tries))
    }
  }

  async #once(url: string, key: string | null, body: object | null): Promise<Answer | null> {
    const { vaultUrl, publishableKey } = this.#till
    const apiKey = url.startsWith(vaultUrl) ? publishableKey : this.#till.apiKey
    const begun = performance.now()
    const answer = await this.#sent(url, { key, body, apiKey })
    const tookMs = performance.now() - begun
    this.#measured.requests += 1
    if (tookMs > this.#measured.longestAnswerMs) {
      const path = new URL(url).pathname.replace(/pay_\w+/, '{paymentId}')
      this.#measured.longestAnswerMs = tookMs
      this.#measured.slowest = `${key === null ? 'GET' : 'POST'} ${path}: ${answer?.status ?? 'no answer'}`
    }
    return answer
  }

  async #sent(
    url: string,
    { key, body, apiKey }: { key: string | null; body: object | null; apiKey: string },
  ): Promise<Answer | null> {
    try {
      if (key === null) return await get(url, apiKey)
      const fault = this.#fault === null ? {} : { headers: { 'Tillwright-Fault': this.#fault } }
      return await post(url, { apiKey, body: JSON.stringify(body ?? {}), idempotencyKey: key, ...fault })
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') return null
      throw error
    }
  }

  #pauseMs(answer: Answer | null, tries: number): number {
    const askedMs = Number(answer?.headers.get('retry-after') ?? 0) * 1_000
    this.#measured.longestRetryAfterMs = Math.max(this.#measured.longestRetryAfterMs, askedMs)
    return Math.min(Math.max(PAUSE_MS * 2 ** Math.min(tries, 3), askedMs), LONGEST_PAUSE_MS)
  }

  #recovered(begunMs: number): void {
    const endedMs = performance.now()
    this.#measured.longestRecoveryMs = Math.max(this.#measured.longestRecoveryMs, endedMs - begunMs)
    this.#measured.steps.push({ begunMs, endedMs, isFaulty: this.#fault !== null })
  }

  #checkPatience(begun: number, why: string): void {
    if (performance.now() - begun > GIVE_UP_MS) throw new GaveUp(`no outcome after ${GIVE_UP_MS / 1_000} s: ${why}`)
  }
}

const PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000
