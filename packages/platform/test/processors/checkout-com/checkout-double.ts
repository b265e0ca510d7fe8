import { newsOfCard } from '../cards-on-file.ts'
import { type Answer, type Call, idempotency, type StandIn, standIn } from '../stand-in.ts'
import { declines, NOT_EXEMPTED, updated, WANT_THREEDS } from './checkout-cards.ts'
import { checkoutProblem } from './checkout-schema.ts'

/** The sandbox key and processing channel of the stand-in. */
export const CHECKOUT_KEY = 'sk_sbox_o2nulev2arguvyf6w7sc5fkzna*'
export const CHANNEL = 'pc_ovo75iz4hdyudnx6tu74mum3fq'

/** An action of a payment. */
interface Action {
  id: string
  type: 'Authorization' | 'Card Verification' | 'Capture' | 'Refund' | 'Void'
  amount: number
  approved: boolean
  response_code: string
  reference: string
}

/** A payment on the stand-in's books, in Checkout.com's minor units. */
export interface BookedPayment {
  id: string
  reference: string
  amount: number
  currency: string
  declined: string | null
  authorized: number
  captured: number
  refunded: number
  isVoided: boolean
  /** No capture follows. */
  isFinal: boolean
  hasCvc: boolean
  /** The account updater's news of a card on file. */
  news: ReturnType<typeof newsOfCard>
  /** The exemption with which it was authorised. */
  exemption: string | undefined
  actions: Action[]
}

/** A dispute, in the shape of the API. */
export interface BookedDispute {
  id: string
  category: string
  amount: number
  currency: string
  status: string
  evidence_required_by: string
  payment: { id: string }
  /** The evidence stored last. */
  evidence?: unknown
}

/** Stands in for Checkout.com's API. */
export interface CheckoutDouble extends StandIn {
  payments: BookedPayment[]
  disputes: Map<string, BookedDispute>
  /** The schema violations in the requests received so far. */
  problems: string[]
  /** Accepts captures, refunds and voids without executing them, until the returned function is called. */
  postpone(): () => void
}

interface Books {
  payments: BookedPayment[]
  disputes: Map<string, BookedDispute>
  /** Accepted actions to execute later; `null` if they are executed at once. */
  postponed: (() => void)[] | null
  count: number
}

/** Starts a stand-in on a free port. */
export async function startCheckoutDouble(): Promise<CheckoutDouble> {
  const books: Books = { payments: [], disputes: new Map(), postponed: null, count: 0 }
  const problems: string[] = []
  const run = idempotency({
    atWork: { status: 429, body: { error_type: 'too_many_requests' } },
    isKept: ({ status }) => status < 300,
  })
  const stand = await standIn({
    async answer(call, work) {
      if (call.headers['authorization'] !== `Bearer ${CHECKOUT_KEY}`) return { status: 401, body: null }
      const problem = call.method === 'GET' ? null : checkoutProblem(call.path, call.body)
      if (problem !== null) problems.push(`${call.path}: ${problem}`)
      return run(call.headers['cko-idempotency-key'], work, () => perform(call, books))
    },
    error: (status) => ({ error_type: status === 429 ? 'too_many_requests' : 'internal_error' }),
  })
  return {
    ...stand,
    payments: books.payments,
    disputes: books.disputes,
    problems,
    postpone() {
      books.postponed = []
      return () => {
        const waiting = books.postponed ?? []
        books.postponed = null
        for (const done of waiting) done()
      }
    },
  }
}

function perform({ method, path, query, body }: Call, books: Books): Answer {
  const [, resource, id, action] = path.split('/')
  if (resource === 'disputes') {
    const dispute = books.disputes.get(id ?? '')
    if (dispute === undefined) return NOT_FOUND
    return method === 'GET' ? { status: 200, body: dispute } : takeEvidence(dispute, { method, body })
  }
  if (id === undefined && method === 'GET') return listed(query.get('reference'), books)
  if (id === undefined) return pay(body as PaymentBody, books)
  const payment = books.payments.find((each) => each.id === id)
  if (payment === undefined) return NOT_FOUND
  if (method === 'GET') return { status: 200, body: action === 'actions' ? payment.actions : asked(payment) }
  return modify(payment, { action: action ?? '', body: body as ModificationBody }, books)
}

/** Evidence may be stored any number of times, and submitted once, if there is any. */
function takeEvidence(dispute: BookedDispute, { method, body }: Pick<Call, 'method' | 'body'>): Answer {
  if (dispute.status !== 'evidence_required') return invalid('dispute_evidence_not_accepted')
  if (method === 'PUT') dispute.evidence = body
  else if (dispute.evidence === undefined) return invalid('dispute_evidence_missing')
  else dispute.status = 'evidence_under_review'
  return { status: 204, body: null }
}

const NOT_FOUND: Answer = { status: 404, body: null }

/** A request body that has passed the schema. */
interface PaymentBody {
  source: {
    type: string
    number?: string
    token?: string
    cvv?: string
    expiry_month: number
    expiry_year: number
    stored: boolean
  }
  amount: number
  currency: string
  reference: string
  capture: boolean
  '3ds': { cryptogram?: string; xid?: string; eci?: string; exemption?: string }
}
interface ModificationBody {
  amount?: number
  reference?: string
  capture_type?: string
}

function listed(reference: string | null, { payments }: Books): Answer {
  const data = payments.filter((each) => each.reference === reference).map(detailsOf)
  return { status: 200, body: { limit: 10, skip: 0, total_count: data.length, data } }
}

function pay(body: PaymentBody, books: Books): Answer {
  const number = body.source.number ?? body.source.token ?? ''
  if (number === '4242424242424241') return invalid('card_number_invalid')
  const { cryptogram, xid, eci } = body['3ds']
  const isProven = cryptogram?.length === 28 && xid?.length === 36 && eci !== undefined
  const { expiry_month: expMonth, expiry_year: expYear, stored } = body.source
  const news = stored ? newsOfCard({ number, expMonth, expYear }) : null
  const refusal = news === 'closed' ? '20005' : (declines[number] ?? null)
  const declined = WANT_THREEDS.has(number) && !isProven ? '20154' : refusal
  const isTaken = declined === null && body.capture
  const payment: BookedPayment = {
    id: `pay_${idOf(books)}`,
    reference: body.reference,
    amount: body.amount,
    currency: body.currency,
    declined,
    authorized: declined === null ? body.amount : 0,
    captured: isTaken ? body.amount : 0,
    refunded: 0,
    isVoided: false,
    isFinal: isTaken,
    hasCvc: body.source.cvv !== undefined,
    news,
    exemption: number === NOT_EXEMPTED ? 'none' : body['3ds'].exemption,
    actions: [],
  }
  books.payments.push(payment)
  payment.actions.push({
    id: `act_${idOf(books)}`,
    type: body.amount === 0 ? 'Card Verification' : 'Authorization',
    amount: body.amount,
    approved: declined === null,
    response_code: declined ?? '10000',
    reference: body.reference,
  })
  const details = detailsOf(payment)
  return { status: 201, body: { ...details, approved: declined === null, response_code: declined ?? '10000' } }
}

/** A payment that is asked for, which tells more than the one that is made. */
function asked(payment: BookedPayment): object {
  return { ...detailsOf(payment), '3ds': { downgraded: false, exemption_applied: payment.exemption } }
}

/** A payment in the shape of the API, without its decline code, which is in its action. */
function detailsOf(payment: BookedPayment): object {
  const { id, reference, amount, currency, declined, hasCvc, news } = payment
  return {
    id,
    reference,
    amount,
    currency,
    status: statusOf(payment),
    approved: declined === null,
    scheme_id: declined === null ? id.slice(-15) : undefined,
    source: { type: 'card', avs_check: 'U', cvv_check: hasCvc ? 'Y' : 'P', ...updated(news) },
    balances: balancesOf(payment),
    _links: {},
  }
}

function statusOf(payment: BookedPayment): string {
  const { declined, amount, captured, refunded, isVoided, authorized } = payment
  if (declined !== null) return 'Declined'
  if (amount === 0) return 'Card Verified'
  if (refunded > 0) return refunded < captured ? 'Partially Refunded' : 'Refunded'
  if (captured > 0) return captured < authorized ? 'Partially Captured' : 'Captured'
  return isVoided ? 'Voided' : 'Authorized'
}

function balancesOf({ authorized, captured, refunded, isVoided, isFinal }: BookedPayment): object {
  const open = isVoided || isFinal ? 0 : authorized - captured
  return {
    total_authorized: authorized,
    total_captured: captured,
    total_refunded: refunded,
    available_to_void: open,
    available_to_capture: open,
    available_to_refund: captured - refunded,
  }
}

interface Modification {
  action: string
  body: ModificationBody
}

/** Accepts a valid action, and executes it at once or when it is released. */
function modify(payment: BookedPayment, modification: Modification, books: Books): Answer {
  const { action, body } = modification
  const { amount = payment.amount } = body
  const { isVoided, isFinal, authorized, captured, refunded, declined } = payment
  const open = isVoided || isFinal || declined !== null ? 0 : authorized - captured
  if (action === 'captures' && open === 0) return { status: 403, body: null }
  if (action === 'captures' && amount > open) return invalid('capture_value_greater_than_authorized')
  if (action === 'voids' && open === 0) return { status: 403, body: null }
  if (action === 'refunds' && captured === refunded) return { status: 403, body: null }
  if (action === 'refunds' && amount > captured - refunded) return invalid('refund_amount_exceeds_balance')
  const id = `act_${idOf(books)}`
  const work = () => record(payment, modification, id)
  if (books.postponed === null) work()
  else books.postponed.push(work)
  return { status: 202, body: { action_id: id, reference: body.reference } }
}

function record(payment: BookedPayment, { action, body }: Modification, id: string): void {
  const { amount = payment.amount, reference = '', capture_type: type } = body
  const types = { captures: 'Capture', refunds: 'Refund', voids: 'Void' } as const
  const name = action === 'captures' || action === 'refunds' ? types[action] : types.voids
  if (name === 'Capture') payment.captured += amount
  if (name === 'Capture' && type !== 'NonFinal') payment.isFinal = true
  if (name === 'Refund') payment.refunded += amount
  if (name === 'Void') payment.isVoided = true
  payment.actions.unshift({ id, type: name, amount, approved: true, response_code: '10000', reference })
}

function invalid(code: string): Answer {
  return { status: 422, body: { request_id: 'req', error_type: 'request_invalid', error_codes: [code] } }
}

/** 26 letters and digits. */
function idOf(books: Books): string {
  books.count += 1
  return String(books.count).padStart(26, 'a')
}
