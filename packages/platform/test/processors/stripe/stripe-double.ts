import { type Call, type StandIn, standIn } from '../stand-in.ts'
import { keyedAnswers, type KeyedCall, type Stored } from './keyed-answers.ts'
import { stripeBooks, type StripeBooks } from './stripe-books.ts'

/** Stands in for Stripe on loopback. */
export interface StripeDouble extends StandIn {
  books: StripeBooks
  /** `calls` as Stripe reads them. */
  requests: readonly KeyedCall[]
  /** As Stripe may a day after they were used. */
  forgetKeys(): void
}

/** The key of the account that the double has. */
export const DOUBLE_KEY = 'sk_test_double'

/** Starts one on a free port. A 500 is kept for its key, as Stripe does. */
export async function startStripeDouble(): Promise<StripeDouble> {
  const books = stripeBooks()
  const keys = new Map<string, Stored>()
  const perform = keyedAnswers(books, keys)
  const stand = await standIn({
    async answer(call, work) {
      if (call.headers['authorization'] !== `Bearer ${DOUBLE_KEY}`) return unauthorized
      const { headers, ...answered } = await perform(keyedCall(call), work)
      return { ...answered, headers: { 'Request-Id': 'req_double', ...headers } }
    },
    error: (status) => ({ error: status === 429 ? rateLimited : { type: 'api_error', message: 'Something broke.' } }),
    keepsErrors: true,
  })
  return {
    ...stand,
    books,
    forgetKeys: () => keys.clear(),
    get requests() {
      return stand.calls.map(keyedCall)
    },
  }
}

function keyedCall({ method, path, query, headers, body }: Call): KeyedCall {
  const sent = new URLSearchParams(typeof body === 'string' ? body : '')
  return {
    method,
    path: path.replace('/v1/', ''),
    form: new Map([...query, ...sent]),
    idempotencyKey: headers['idempotency-key'],
  }
}

const rateLimited = { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' }

const unauthorized = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
}
