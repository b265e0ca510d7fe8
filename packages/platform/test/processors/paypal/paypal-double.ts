import { type Answer, type Call, idempotency, type StandIn, standIn } from '../stand-in.ts'
import { paypalProblem } from './paypal-schema.ts'

/** The app credentials of the stand-in. */
export const CLIENT_ID = 'AstandInForPayPal_0123456789-abcdefghijklmnop'
export const CLIENT_SECRET = 'EstandInForPayPal_0123456789-abcdefghijklmnop'

interface Money {
  currency_code: string
  value: string
}

/** A capture, an authorization or a refund, in the shape of the API. */
interface Booked {
  id: string
  status: string
  amount: Money
  custom_id?: string | undefined
  invoice_id?: string | undefined
  [more: string]: unknown
}

/** An order on the stand-in's books. */
export interface BookedOrder {
  id: string
  intent: 'CAPTURE' | 'AUTHORIZE'
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  amount: Money
  customId: string
  invoiceId: string
  authorization: Booked | null
  capture: Booked | null
  /** Captures of an authorization that were declined; it can be captured all the same. */
  declined: Booked[]
  refunds: Booked[]
  /** The refusal of the money: the issue of an error, or the status of a capture or authorization. */
  refused: { issue: string } | { status: 'DECLINED' | 'PENDING'; reason?: string; code?: string } | null
}

/** Stands in for PayPal's Orders API v2, Payments API v2 and Disputes API v1. */
export interface PayPalDouble extends StandIn {
  orders: BookedOrder[]
  disputes: Map<string, object>
  /** The schema violations in the requests received so far. */
  problems: string[]
  /** Approves an order, as its buyer does at PayPal. */
  approve(id: string): void
}

interface Books {
  orders: BookedOrder[]
  disputes: Map<string, object>
  count: number
}

/** Starts a stand-in on a free port. */
export async function startPayPalDouble(): Promise<PayPalDouble> {
  const books: Books = { orders: [], disputes: new Map(), count: 0 }
  const problems: string[] = []
  const run = idempotency({
    atWork: { status: 409, body: { name: 'RESOURCE_CONFLICT', details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }] } },
    isKept: ({ status }) => status < 300,
  })
  const stand = await standIn({
    async answer(call, work) {
      if (call.path === '/v1/oauth2/token') return token(call)
      if (call.headers['authorization'] !== 'Bearer token')
        return { status: 401, body: { name: 'AUTHENTICATION_FAILURE' } }
      const wrong = call.method === 'GET' ? null : paypalProblem(call.path, call.body)
      if (wrong !== null) problems.push(`${call.path}: ${wrong}`)
      return run(call.headers['paypal-request-id'], work, () => perform(call, books))
    },
    error: (status) => ({ name: status === 429 ? 'RATE_LIMIT_REACHED' : 'INTERNAL_SERVER_ERROR', details: [] }),
  })
  return {
    ...stand,
    orders: books.orders,
    disputes: books.disputes,
    problems,
    approve(id) {
      const order = books.orders.find((each) => each.id === id)
      if (order?.status === 'PAYER_ACTION_REQUIRED') order.status = 'APPROVED'
    },
  }
}

function token({ headers }: Call): Answer {
  const wanted = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`
  if (headers['authorization'] !== wanted) return { status: 401, body: { error: 'invalid_client' } }
  return { status: 200, body: { access_token: 'token', token_type: 'Bearer', expires_in: 32_400 } }
}

function perform({ method, path, query, body }: Call, books: Books): Answer {
  const [, , group, resource = '', id, action] = path.split('/')
  if (group === 'customer' && id === undefined) return disputesOf(query.get('disputed_transaction_id') ?? '', books)
  if (group === 'customer') return found(books.disputes.get(id ?? ''))
  if (resource === 'orders' && id === undefined) return create(body as OrderBody, books)
  const order = books.orders.find((each) => idsOf(each).includes(id ?? ''))
  if (order === undefined) return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
  if (method === 'GET') return found(resource === 'orders' ? shown(order) : partOf(order, id ?? ''))
  switch (`${resource} ${action}`) {
    case 'orders capture':
    case 'orders authorize':
      return take(order, books)
    case 'authorizations capture':
      return captureHold(order, body as CaptureBody, books)
    case 'authorizations void':
      return voidHold(order)
    case 'captures refund':
      if (id !== order.capture?.id) return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_STATUS_NOT_VALID')
      return refund(order, body as RefundBody, books)
    default:
      throw new Error(`Nobody stands in for ${method} ${path}.`)
  }
}

interface OrderBody {
  intent: BookedOrder['intent']
  purchase_units: { amount: Money; custom_id: string; invoice_id: string }[]
}
interface CaptureBody {
  amount: Money
  invoice_id?: string
}
interface RefundBody extends CaptureBody {
  custom_id?: string
}

function disputesOf(captureId: string, { disputes }: Books): Answer {
  const items = [...disputes.values()].filter((dispute) => JSON.stringify(dispute).includes(`"${captureId}"`))
  return { status: 200, body: { items } }
}

function found(body: object | undefined): Answer {
  return body === undefined ? problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID') : { status: 200, body }
}

function create({ intent, purchase_units: [unit] }: OrderBody, books: Books): Answer {
  if (unit === undefined) throw new Error('The schema wants one.')
  const order: BookedOrder = {
    id: idOf(books),
    intent,
    status: 'PAYER_ACTION_REQUIRED',
    amount: unit.amount,
    customId: unit.custom_id,
    invoiceId: unit.invoice_id,
    authorization: null,
    capture: null,
    declined: [],
    refunds: [],
    refused: null,
  }
  books.orders.push(order)
  return { status: 201, body: shown(order) }
}

function shown({
  id,
  intent,
  status,
  amount,
  customId,
  invoiceId,
  authorization,
  capture,
  declined,
  refunds,
}: BookedOrder): object {
  const captures = [...declined, ...(capture === null ? [] : [capture])]
  const payments = {
    ...(authorization !== null && { authorizations: [authorization] }),
    ...(captures.length > 0 && { captures }),
    ...(refunds.length > 0 && { refunds }),
  }
  const isPaid = authorization !== null || capture !== null
  const unit = {
    reference_id: 'default',
    amount,
    custom_id: customId,
    invoice_id: invoiceId,
    ...(isPaid && { payments }),
  }
  const url = `https://www.sandbox.paypal.com/checkoutnow?token=${id}`
  return { id, intent, status, purchase_units: [unit], links: [{ rel: 'payer-action', href: url, method: 'GET' }] }
}

function idsOf({ id, authorization, capture, declined, refunds }: BookedOrder): string[] {
  const parts = [authorization, capture, ...declined, ...refunds]
  return [id, ...parts.map((each) => each?.id)].filter((each) => each !== undefined)
}

function partOf({ authorization, capture, declined, refunds }: BookedOrder, id: string): object | undefined {
  return [authorization, capture, ...declined, ...refunds].find((each) => each?.id === id) ?? undefined
}

/** Captures or authorizes the money of an order. */
function take(order: BookedOrder, books: Books): Answer {
  const { refused, intent } = order
  if (order.status === 'COMPLETED') {
    const issue = intent === 'CAPTURE' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED'
    return problem(422, 'UNPROCESSABLE_ENTITY', issue)
  }
  if (order.status !== 'APPROVED') return problem(422, 'UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED')
  if (refused !== null && 'issue' in refused) return problem(422, 'UNPROCESSABLE_ENTITY', refused.issue)
  if (
    books.orders.some((each) => each !== order && each.invoiceId === order.invoiceId && each.status === 'COMPLETED')
  ) {
    return problem(422, 'UNPROCESSABLE_ENTITY', 'DUPLICATE_INVOICE_ID')
  }
  order.status = 'COMPLETED'
  const made: Booked = {
    id: idOf(books),
    status: refused?.status ?? (intent === 'CAPTURE' ? 'COMPLETED' : 'CREATED'),
    amount: order.amount,
    custom_id: order.customId,
    invoice_id: order.invoiceId,
    supplementary_data: { related_ids: { order_id: order.id } },
    ...(refused?.reason !== undefined && { status_details: { reason: refused.reason } }),
    ...(refused?.code !== undefined && { processor_response: { response_code: refused.code } }),
  }
  const fee = { currency_code: order.amount.currency_code, value: '0.89' }
  if (intent === 'AUTHORIZE') order.authorization = made
  else order.capture = { ...made, seller_receivable_breakdown: { gross_amount: order.amount, paypal_fee: fee } }
  return { status: 201, body: shown(order) }
}

function captureHold(order: BookedOrder, { amount, invoice_id }: CaptureBody, books: Books): Answer {
  const { authorization } = order
  if (authorization?.status === 'VOIDED') return problem(422, 'UNPROCESSABLE_ENTITY', 'AUTHORIZATION_VOIDED')
  if (authorization?.status !== 'CREATED') return problem(422, 'UNPROCESSABLE_ENTITY', 'AUTHORIZATION_ALREADY_CAPTURED')
  if (Number(amount.value) > Number(authorization.amount.value) * 1.15) {
    return problem(422, 'UNPROCESSABLE_ENTITY', 'MAX_CAPTURE_AMOUNT_EXCEEDED')
  }
  const made = {
    id: idOf(books),
    status: order.refused !== null && 'status' in order.refused ? order.refused.status : 'COMPLETED',
    amount,
    custom_id: order.customId,
    invoice_id,
    final_capture: true,
    supplementary_data: { related_ids: { order_id: order.id } },
  }
  if (made.status === 'DECLINED') order.declined.push(made)
  else {
    authorization.status = 'CAPTURED'
    order.capture = made
  }
  return { status: 201, body: made }
}

function voidHold({ authorization }: BookedOrder): Answer {
  if (authorization?.status === 'VOIDED') return problem(422, 'UNPROCESSABLE_ENTITY', 'PREVIOUSLY_VOIDED')
  if (authorization?.status !== 'CREATED') return problem(422, 'UNPROCESSABLE_ENTITY', 'PREVIOUSLY_CAPTURED')
  authorization.status = 'VOIDED'
  return { status: 204, body: null }
}

function refund(order: BookedOrder, { amount, custom_id, invoice_id }: RefundBody, books: Books): Answer {
  const { capture, refunds } = order
  const before = refunds.reduce((sum, each) => sum + Number(each.amount.value), 0)
  const left = Number(capture?.amount.value ?? 0) - before
  if (capture === null || left < 0.005) return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED')
  if (Number(amount.value) > left + 0.005) return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_AMOUNT_EXCEEDED')
  const links = [
    { rel: 'up', method: 'GET', href: `https://api-m.sandbox.paypal.com/v2/payments/captures/${capture.id}` },
  ]
  const made: Booked = { id: idOf(books), status: 'COMPLETED', amount, custom_id, invoice_id, links }
  refunds.push(made)
  return { status: 201, body: made }
}

/** 17 capital letters and digits. */
function idOf(books: Books): string {
  books.count += 1
  return `PP${String(books.count).padStart(15, '0')}`
}

function problem(status: number, name: string, issue: string): Answer {
  return { status, body: { name, message: 'The request was refused.', debug_id: 'd', details: [{ issue }] } }
}
