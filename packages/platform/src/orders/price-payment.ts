import type { AppliedPromotion, NewPayment } from '@tillwright/contract'
import { codeKey, promotionExhausted } from '../promotions/index.ts'
import type { Call } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type OrderPrice, plainPrice, priceOrder } from './price-order.ts'
import { cannotShip, type PageTerms } from './ship-order.ts'

/**
 * What a payment has to take. Unlike a quote it takes nobody by surprise: a code of which nothing is left, or another
 * sum than the buyer was told, is refused before anything is charged.
 *
 * @param page What the buyer's page that asks for it has said, `null` for a merchant's server.
 * @throws {ApiError} What `priceOrder` throws; `promotion_exhausted`, `state_conflict` for another amount than expected, or
 *   for goods that have to be shipped and cannot.
 */
export async function pricePayment(body: NewPayment, page: PageTerms | null, call: Call): Promise<OrderPrice> {
  if (body.lines === undefined) return plainPrice(body.amount ?? 0)
  const { shipping, ...price } = await priceOrder({ ...body, lines: body.lines, page: page ?? undefined }, call)
  if (shipping !== null && shipping.problem !== null) throw cannotShip(shipping.problem, body)
  requireCodesLeft(price, body)
  requireExpected(price, body)
  return price
}

/** The parameter that led to a promotion: its code, or the lines where it is automatic. */
export function paramOf({ code }: Pick<AppliedPromotion, 'code'>, { promotionCodes }: NewPayment): string {
  const index = code === null ? -1 : promotionCodes.findIndex((sent) => codeKey(sent) === codeKey(code))
  return index === -1 ? 'lines' : `promotionCodes[${index}]`
}

/** An automatic promotion that is used up is simply over; a code was promised to the buyer. */
function requireCodesLeft({ promotions }: OrderPrice, body: NewPayment): void {
  for (const left of promotions.leftOut) {
    const param = paramOf(left, body)
    if (left.clause === 'usage_limit' && param !== 'lines') throw promotionExhausted(left.name, param)
  }
}

function requireExpected({ amount }: OrderPrice, { expectedAmount, currency }: NewPayment): void {
  if (expectedAmount === undefined || expectedAmount === amount) return
  throw new ApiError(
    'state_conflict',
    `The order costs ${amount} minor units of ${currency}, not ${expectedAmount}; nothing was charged. Quote it again ` +
      'and ask the buyer.',
    { param: 'expectedAmount' },
  )
}
