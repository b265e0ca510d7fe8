import { IDEMPOTENCY_RETENTION_MS, type NewPayment, type Payment } from '@tillwright/contract'
import type { Answer } from '../../src/accounts/idempotency.ts'
import type { Cluster } from '../../src/cluster/membership.ts'
import { errorBody } from '../../src/http/operations/error-body.ts'
import { idempotencyRunner, readIdempotencyKey } from '../../src/http/operations/idempotency.ts'
import { replyAnswer } from '../../src/http/operations/answers.ts'
import type { LocalFile } from '../../src/local/start-local.ts'
import { createPayment } from '../../src/payments/payments.ts'
import type { Paying } from '../../src/payments/prepare/prepare-payment.ts'
import type { PendingReply, Reply, RequestContext, Services } from '../../src/request-context.ts'
import { circuitBreaker } from '../../src/routing/circuit-breaker.ts'
import type { SecurityCodes } from '../../src/vault/sealed-codes.ts'
import { keyCall } from '../key-call.ts'
import { uncounted } from '../vault/uncounted.ts'

/** The account that pays and the process that charges; a new process by default. */
export interface PayingThrough
  extends
    Omit<Paying, 'codes' | 'circuit' | 'threedsProviders'>,
    Partial<Pick<Paying, 'codes' | 'circuit' | 'threedsProviders'>> {
  local: Pick<LocalFile, 'accountId' | 'storeId'>
  paymentInstrumentId: string
  /** The `Idempotency-Key`. */
  key: string
  /** 5.00 USD unless it says otherwise. */
  order?: Partial<NewPayment>
}

/** A request for a payment, as the platform serves it, but with other processors. */
export async function payThrough({ services: living, ...paying }: PayingThrough): Promise<Answer> {
  const services = { ...living, cluster: asIfDying(living.cluster) }
  const { local, paymentInstrumentId, key, order = {} } = paying
  const own = {
    codes: withoutCodes,
    circuit: circuitBreaker(services.clock),
    threedsProviders: async () => null,
  }
  const create = createPayment({ ...own, ...paying, services }, uncounted)
  const amount = order.lines === undefined ? { amount: 500 } : {}
  const captured = { captureMethod: 'automatic' as const }
  const agreed = {
    authenticationType: 'payment-transaction',
    challengePreference: 'no-preference',
    initiatedBy: 'buyer',
  } as const
  const defaults = {
    currency: 'USD',
    promotionCodes: [],
    shippingAmount: 0,
    metadata: {},
    ...captured,
    ...agreed,
    ...amount,
  }
  const body: NewPayment = { storeId: local.storeId, paymentInstrumentId, ...defaults, ...order }
  const request = { body, params: undefined, query: undefined }
  return requestThrough((context) => create(request, context), { services, accountId: local.accountId, key })
}

/** The sender of a request, and the process that receives it. */
export interface RequestingThrough {
  services: Services
  accountId: string
  /** The `Idempotency-Key`. */
  key: string
}

/** A request with a key that charges a card, as the platform serves it, to its end. */
export async function requestThrough(
  handle: (context: RequestContext) => Promise<Reply<Payment> | PendingReply<Payment>>,
  { services, accountId, key }: RequestingThrough,
): Promise<Answer> {
  const context = keyCall(services, { accountId })
  const idempotencyKey = readIdempotencyKey(key, context.caller)
  const call = { ...context, idempotencyKey }
  const { answer } = await idempotencyRunner(services)({
    key: { accountId, key: idempotencyKey ?? '', fingerprint: key },
    leaseMs: IDEMPOTENCY_RETENTION_MS,
    repeatable: false,
    untilMs: performance.now() + 100,
    work: async (begin) => {
      const handled = await handle({ ...call, begin })
      const reply = 'end' in handled ? await handled.end : handled
      return { answer: replyAnswer(reply, { services, docsUrl: '' }), writes: reply.writes ?? [] }
    },
    failed: (error) => ({ status: error.status, body: JSON.stringify(errorBody(error, call.requestId, '')) }),
  })
  return answer
}

/** A process that gives nothing back: what fails is left as one leaves it that dies. */
export function asIfDying(cluster: Cluster): Cluster {
  return new Proxy(cluster, {
    get(target, name) {
      if (name === 'giveBack') return () => {}
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A process without the keys of any code: it charges without. */
const withoutCodes: SecurityCodes = {
  seal: () => Promise.reject(new Error('This process takes no cards.')),
  open: async () => null,
}
