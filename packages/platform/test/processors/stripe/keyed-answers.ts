import type { Answer, Work } from '../stand-in.ts'
import { answerFrom, type StripeAnswer, type StripeBooks, type StripeCall } from './stripe-books.ts'

/** A request made under a key. */
export interface Stored {
  /** The fingerprint of the request; another one under the same key is an error. */
  print: string
  /** `null` while the first request is in progress. */
  answer: StripeAnswer | null
}

/** A request with its `Idempotency-Key`. */
export interface KeyedCall extends StripeCall {
  idempotencyKey: string | undefined
}

/**
 * Answers each request once for its key, as Stripe documents it: the first answer is stored whatever it is, a different
 * request is a 400, a request while the first is in progress is a 409, and an object in use is locked.
 */
export function keyedAnswers(
  books: StripeBooks,
  keys: Map<string, Stored>,
): (call: KeyedCall, work: Work) => Promise<Answer> {
  const locked = new Set<string>()
  return async (call, { done, instead }) => {
    const { idempotencyKey: key, form, path, method } = call
    if (key === undefined || method === 'GET') return instead ?? answerFrom(books, call)
    const print = `${path}?${new URLSearchParams([...form])}`
    const stored = keys.get(key)
    if (stored !== undefined) return repeated(stored, print)
    const object = path.split('/')[1] ?? key
    if (locked.has(object)) return { ...lockTimeout, headers: { 'stripe-should-retry': 'true' } }
    const record: Stored = { print, answer: null }
    keys.set(key, record)
    locked.add(object)
    await done
    locked.delete(object)
    const answer = structuredClone(instead ?? answerFrom(books, call)) // the books go on, the answer stays
    record.answer = answer
    return { ...answer, ...(answer.status >= 500 && { headers: { 'stripe-should-retry': 'false' } }) }
  }
}

function repeated({ print: first, answer }: Stored, print: string): Answer {
  if (print !== first) return idempotencyError(400, 'Keys can only be used with the same parameters.')
  if (answer === null) return idempotencyError(409, 'Another request with this key is at work.')
  return { ...answer, headers: { 'idempotent-replayed': 'true' } }
}

function idempotencyError(status: 400 | 409, message: string): StripeAnswer {
  const code = status === 409 ? 'idempotency_key_in_use' : undefined
  return { status, body: { error: { type: 'idempotency_error', code, message } } }
}

const lockTimeout: StripeAnswer = {
  status: 429,
  body: { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'The object is locked.' } },
}
