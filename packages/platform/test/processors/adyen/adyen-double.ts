import { type Answer, type Call, idempotency, type StandIn, standIn } from '../stand-in.ts'
import { newsOf, refusalOnFile, refusals, wantThreeds } from './adyen-cards.ts'
import { type Item, signed } from './adyen-notifications.ts'
import { adyenProblem, type ModificationBody, type PaymentBody } from './adyen-schema.ts'

/** The API key and merchant account of the stand-in. */
export const ADYEN_KEY = 'AQEstandInForAdyen0123456789abcdef'
export const MERCHANT_ACCOUNT = 'ShopCOM'

/** A payment on the stand-in's books, in Adyen's minor units. */
export interface BookedPayment {
  pspReference: string
  reference: string
  currency: string
  state: 'authorised' | 'refused' | 'waiting' | 'cancelled'
  isManual: boolean
  /** The amount requested; `authorised` may be less. */
  asked: number
  authorised: number
  captured: number
  refunded: number
  details: Record<string, string>
}

/** Stands in for Adyen's Checkout API v72, and sends its notifications. */
export interface AdyenDouble extends StandIn {
  payments: BookedPayment[]
  /** The schema violations in the requests received so far. */
  problems: string[]
  /** Registers the receiver of notifications. They are sent before their request is answered, unless held back. */
  onNotification(take: (body: string) => Promise<unknown>): void
  /** Holds notifications back until the returned function is called. @returns The bodies then sent. */
  hold(): () => Promise<string[]>
  /** Sends an unrequested notification, such as a chargeback. */
  tell(item: Partial<Item>): Promise<string>
  /** Ends a redirect or a debit: the buyer or the bank pays, or refuses. */
  finish(reference: string, isPaid: boolean): Promise<void>
}

interface Books {
  payments: BookedPayment[]
  problems: string[]
  queue: Item[]
  count: number
}

/** Starts a stand-in on a free port. */
export async function startAdyenDouble(): Promise<AdyenDouble> {
  const books: Books = { payments: [], problems: [], queue: [], count: 0 }
  const run = idempotency({ atWork: error(422, '704', 'request already processed or in progress'), isKept: () => true })
  let take: (body: string) => Promise<unknown> = async () => {}
  let isHeld = false

  async function deliver(): Promise<string[]> {
    const bodies = books.queue.splice(0).map((item) => signed(item))
    for (const body of bodies) await take(body)
    return bodies
  }

  const stand = await standIn({
    async answer(call, work) {
      if (call.headers['x-api-key'] !== ADYEN_KEY) return error(401, '000', 'HTTP Status Response - Unauthorized')
      const problem = adyenProblem(call.path, call.body)
      if (problem !== null) books.problems.push(`${call.path}: ${problem}`)
      const answer = await run(call.headers['idempotency-key'], work, () => perform(call, books))
      if (!isHeld) await deliver()
      return answer
    },
    error: (status) => error(status, status === 429 ? '010' : '905', 'Something broke.').body,
  })
  return {
    ...stand,
    payments: books.payments,
    problems: books.problems,
    onNotification: (taking) => void (take = taking),
    hold() {
      isHeld = true
      return () => ((isHeld = false), deliver())
    },
    async tell(item) {
      const body = signed({ ...blank(books), ...item })
      await take(body)
      return body
    },
    async finish(reference, isPaid) {
      const payment = books.payments.find((each) => each.reference === reference)
      if (payment === undefined) throw new Error(`Nobody was led away for ${reference}.`)
      end(payment, isPaid)
      books.queue.push(authorisation(payment, books, isPaid ? '' : 'Shopper Cancelled'))
      if (!isHeld) await deliver()
    },
  }
}

function perform({ path, body }: Call, books: Books): Answer {
  const [, , resource, psp, action] = path.split('/')
  if (resource === 'paymentMethods') return methodsOf(body as { merchantAccount?: string })
  if (resource === 'cancels') return technicalCancel(body as ModificationBody, books)
  if (psp === undefined) return pay(body as PaymentBody, books)
  if (psp === 'details') return confirm(body as { details: { redirectResult: string } }, books)
  const payment = books.payments.find(({ pspReference }) => pspReference === psp)
  if (payment === undefined) return error(422, '167', 'Original pspReference required for this operation')
  return modify(payment, { action: action ?? '', body: body as ModificationBody }, books)
}

function methodsOf({ merchantAccount }: { merchantAccount?: string }): Answer {
  if (merchantAccount !== MERCHANT_ACCOUNT) return error(403, '901', 'Invalid Merchant Account')
  return { status: 200, body: { paymentMethods: [] } }
}

function pay(body: PaymentBody, books: Books): Answer {
  const { amount, reference, paymentMethod } = body
  const payment: BookedPayment = {
    pspReference: pspOf(books),
    reference,
    currency: amount.currency,
    state: 'refused',
    isManual: body.additionalData?.manualCapture === 'true',
    asked: amount.value,
    authorised: 0,
    captured: 0,
    refunded: 0,
    details: {},
  }
  if (paymentMethod.type === 'scheme' && (paymentMethod.number ?? '').length < 13) {
    return error(422, '101', 'Invalid card number')
  }
  books.payments.push(payment)
  if (paymentMethod.type === 'ideal') {
    payment.state = 'waiting'
    return ok({
      resultCode: 'RedirectShopper',
      pspReference: payment.pspReference,
      action: { type: 'redirect', method: 'GET', paymentMethodType: 'ideal', url: `https://bank.example/${reference}` },
    })
  }
  if (paymentMethod.type === 'sepadirectdebit') {
    payment.state = 'waiting'
    return ok({ ...answered(payment), resultCode: 'Received' })
  }
  return cardAnswer(payment, body, books)
}

/** Records the outcome of a payment that was waiting. */
function end(payment: BookedPayment, isPaid: boolean): void {
  payment.state = isPaid ? 'authorised' : 'refused'
  payment.authorised = isPaid ? payment.asked : 0
  payment.captured = payment.authorised
}

function cardAnswer(payment: BookedPayment, body: PaymentBody, books: Books): Answer {
  const { paymentMethod, amount } = body
  const number = paymentMethod.number ?? ''
  const isProven = /^\S{28}$/.test(body.mpiData?.cavv ?? '') && body.mpiData?.dsTransID !== undefined
  const refusal =
    wantThreeds.has(number) && !isProven
      ? NEEDS_THREEDS
      : (refusals[number] ?? refusalOnFile(paymentMethod, body.shopperInteraction))
  const isToken = paymentMethod.type === 'networkToken'
  payment.details = {
    cvcResult: paymentMethod.cvc === undefined ? '6 No CVC/CVV provided' : '1 Matches',
    avsResult: '5 No AVS data provided',
    ...(isToken && { networkTokenUsed: 'true' }),
    ...(body.additionalData?.scaExemption !== undefined && {
      scaExemptionRequested: body.additionalData.scaExemption,
    }),
    ...newsOf(paymentMethod, body.shopperInteraction),
  }
  if (refusal !== undefined) {
    const [refusalReasonCode, refusalReason, refusalReasonRaw, merchantAdviceCode] = refusal
    Object.assign(payment.details, {
      refusalReasonRaw,
      ...(merchantAdviceCode !== undefined && { merchantAdviceCode }),
    })
    books.queue.push(authorisation(payment, books, refusalReason))
    return ok({ ...answered(payment), resultCode: 'Refused', refusalReason, refusalReasonCode })
  }
  payment.details['networkTxReference'] = payment.pspReference.slice(-15)
  payment.state = 'authorised'
  payment.authorised = amount.value
  payment.captured = payment.isManual ? 0 : amount.value
  books.queue.push(authorisation(payment, books, ''))
  return ok({ ...answered(payment), resultCode: 'Authorised' })
}

const NEEDS_THREEDS = ['38', 'Authentication required', '65 : Authentication required'] as const

function answered({ pspReference, details, reference }: BookedPayment): object {
  return { pspReference, merchantReference: reference, additionalData: details }
}

/** Answers `/payments/details`. `redirectResult` is `paid:` or `refused:`, then the reference. */
function confirm({ details: { redirectResult } }: { details: { redirectResult: string } }, books: Books): Answer {
  const [result = '', reference] = redirectResult.split(':')
  const payment = books.payments.find((each) => each.reference === reference)
  if (payment === undefined) return error(422, '14_0406', "The result parameters couldn't be decoded")
  end(payment, result === 'paid')
  const isPaid = payment.state === 'authorised'
  const refusal = { resultCode: 'Cancelled', refusalReason: 'Shopper Cancelled', refusalReasonCode: '16' }
  return ok({ ...answered(payment), ...(isPaid ? { resultCode: 'Authorised' } : refusal) })
}

interface Modification {
  action: string
  body: ModificationBody
}

/** Accepts every well-formed modification; the outcome is sent as a notification. */
function modify(payment: BookedPayment, { action, body }: Modification, books: Books): Answer {
  const pspReference = pspOf(books)
  const reason = done(payment, { action, body })
  const codes: Readonly<Record<string, string>> = { captures: 'CAPTURE', refunds: 'REFUND', cancels: 'CANCELLATION' }
  books.queue.push({
    ...blank(books),
    eventCode: codes[action] ?? '',
    amount: body.amount ?? { value: payment.authorised, currency: payment.currency },
    merchantReference: body.reference ?? payment.reference,
    originalReference: payment.pspReference,
    pspReference,
    reason: reason ?? '',
    success: reason === null ? 'true' : 'false',
  })
  return { status: 201, body: { ...body, paymentPspReference: payment.pspReference, pspReference, status: 'received' } }
}

/** Executes a modification, or returns why it cannot. */
function done(payment: BookedPayment, { action, body: { amount } }: Modification): string | null {
  const value = amount?.value ?? 0
  if (action === 'cancels') {
    if (payment.state !== 'authorised' || payment.captured > 0) return 'Transaction is already captured or cancelled'
    payment.state = 'cancelled'
    return null
  }
  if (payment.state !== 'authorised') return 'Transaction is not authorised'
  if (action === 'captures') {
    if (payment.captured > 0) return 'Transaction is already captured'
    if (value > payment.authorised) return 'Insufficient balance on payment'
    payment.captured = value
    return null
  }
  if (payment.captured === 0) return "Transaction hasn't been captured, refund not possible"
  if (value > payment.captured - payment.refunded) return 'Insufficient balance on payment'
  payment.refunded += value
  return null
}

function technicalCancel({ paymentReference, reference = '' }: ModificationBody, books: Books): Answer {
  const payment = books.payments.find((each) => each.reference === paymentReference)
  const pspReference = pspOf(books)
  const isOpen = payment?.state === 'authorised' && payment.captured === 0
  if (payment !== undefined && isOpen) payment.state = 'cancelled'
  books.queue.push({
    ...blank(books),
    eventCode: 'TECHNICAL_CANCEL',
    merchantReference: reference,
    originalReference: payment?.pspReference ?? '',
    pspReference,
    reason: isOpen ? '' : 'Transaction not found',
    success: isOpen ? 'true' : 'false',
  })
  return {
    status: 201,
    body: { merchantAccount: MERCHANT_ACCOUNT, paymentReference, pspReference, status: 'received' },
  }
}

function authorisation(payment: BookedPayment, books: Books, reason: string): Item {
  return {
    ...blank(books),
    additionalData: payment.details,
    amount: { value: payment.authorised, currency: payment.currency },
    eventCode: 'AUTHORISATION',
    merchantReference: payment.reference,
    pspReference: payment.pspReference,
    reason,
    success: payment.state === 'authorised' ? 'true' : 'false',
  }
}

function blank(books: Books): Item {
  return {
    additionalData: {},
    amount: { value: 0, currency: 'USD' },
    eventCode: 'AUTHORISATION',
    eventDate: '2030-01-01T00:00:00+01:00',
    merchantAccountCode: MERCHANT_ACCOUNT,
    merchantReference: '',
    originalReference: '',
    pspReference: pspOf(books),
    reason: '',
    success: 'true',
  }
}

/** Sixteen letters and digits. */
function pspOf(books: Books): string {
  books.count += 1
  return `PSP${String(books.count).padStart(13, '0')}`
}

function ok(body: object): Answer {
  return { status: 200, body }
}

function error(status: number, errorCode: string, message: string): Answer {
  return { status, body: { status, errorCode, message, errorType: status === 422 ? 'validation' : 'security' } }
}
