import type { NewPayment, Order, OrderHook, OrderLine, StockAnswer } from '@tillwright/contract'
import { findEmail, type PayingInstrument } from '../../customers/index.ts'
import { askHook, type Asking, type HookSubject, type StoreHooks } from '../../hooks/index.ts'
import { hookLines, type OrderPrice, type PageTerms, paramOf } from '../../orders/index.ts'
import { ApiError } from '../../runtime/index.ts'

/** A payment that is about to be put on record. */
interface ToAskAbout {
  body: NewPayment
  page: { preview: unknown; funnelSessionId: string; terms: PageTerms; buyer: Order['buyer'] } | null
  instrument: PayingInstrument
  price: OrderPrice
  paymentId: string
  orderId: string
  hooks: StoreHooks
}

/** The answer of the merchant's server on a payment that may begin. */
interface MerchantsWord {
  /** Questions and answers, for the order to keep. */
  asked: readonly OrderHook[]
  /** Whether the buyer has to be authenticated. */
  challenge: boolean
}

/**
 * Asks the store's hooks for `stock` and `risk`, both at once, before anything is on record. Where there is nothing to
 * pay, there is no risk; a preview sells nothing, so neither is asked.
 *
 * @throws {ApiError} `out_of_stock`, `risk_refused`, `stock_unanswered`, `risk_unanswered`.
 */
export async function askMerchant(payment: ToAskAbout, context: Asking): Promise<MerchantsWord> {
  const { hooks, page, price } = payment
  const isAsked = page?.preview == null && (hooks.stock !== undefined || hooks.risk !== undefined)
  if (!isAsked) return { asked: [], challenge: false }
  const subject = await subjectOf(payment, context)
  const ofStock = { ...subject, email: null, card: null, buyerIp: null }
  const problemOf = (answer: StockAnswer) => stockProblem(answer, price.lines)
  const [stock, risk] = await Promise.all([
    price.lines.length === 0 ? null : askHook({ kind: 'stock', subject: ofStock, problemOf }, hooks, context),
    price.amount === 0 ? null : askHook({ kind: 'risk', subject }, hooks, context),
  ])
  // A debit takes whatever account was typed; of the other methods the bank asks the buyer, or the money comes first.
  const isUnproven = risk?.answer?.decision === 'challenge' && payment.body.paymentMethod?.type === 'sepa_debit'
  if (risk?.answer?.decision === 'refuse' || isUnproven) {
    const message =
      'The merchant does not take this payment; nothing was charged. Ask the buyer for another way to pay.'
    throw new ApiError('risk_refused', message)
  }
  if (stock !== null && stock.answer !== null) requireStock(stock.answer, payment)
  const asked = [stock, risk].flatMap((each) => each?.record ?? [])
  return { asked, challenge: risk?.answer?.decision === 'challenge' }
}

async function subjectOf(
  { body, page, instrument, price, paymentId, orderId, hooks }: ToAskAbout,
  context: Asking,
): Promise<HookSubject> {
  const { brand, last4, customerId } = instrument
  const { caller, services } = context
  const email =
    hooks.risk === undefined
      ? null
      : (page?.buyer?.email ?? (await findEmail(customerId, caller.accountId, services.db)))
  return {
    paymentId,
    orderId,
    customerId,
    sessionId: page?.funnelSessionId ?? null,
    currency: body.currency,
    amount: price.amount,
    shippingAmount: price.shippingAmount - price.shippingDiscount,
    lines: await hookLines(price.lines, body.storeId, context),
    destination: page === null ? (body.destination ?? null) : page.terms.destination,
    email: email === '' ? null : email,
    card: body.paymentMethod === undefined ? { brand, last4 } : null,
    buyerIp: body.buyerIp ?? null,
  }
}

function stockProblem({ lines: answers }: StockAnswer, lines: readonly OrderLine[]): string | null {
  const answered = new Set(answers.map(({ line }) => line))
  const isWhole = answers.length === lines.length && lines.every((_, index) => answered.has(index))
  return isWhole ? null : `lines: must have one entry for each of the ${lines.length} lines`
}

function requireStock({ lines: answers }: StockAnswer, { body, price }: ToAskAbout): void {
  const short = answers.find(({ available }) => !available)
  if (short === undefined) return
  const { line, quantity } = short
  const { name = '', promotionId = null } = price.lines[line] ?? {}
  const left = quantity === undefined || quantity === 0 ? 'is out of stock' : `has only ${quantity} left`
  const giver = price.promotions.applied.find((promotion) => promotion.promotionId === promotionId)
  const fix =
    giver === undefined
      ? 'Remove the line or lower its quantity.'
      : `It is a gift of the promotion '${giver.name}': remove its code, or end the promotion or the sale of the gift.`
  const param = giver === undefined ? `lines[${line}]` : paramOf(giver, body)
  throw new ApiError('out_of_stock', `'${name}' ${left}; nothing was charged. ${fix}`, { param })
}
