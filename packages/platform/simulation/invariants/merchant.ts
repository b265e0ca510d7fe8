import type { Site } from '../world/platforms.ts'

/**
 * The merchant's server has said yes to the risk of each payment that was begun, to the amount that it has; what it has
 * refused has not begun, and a buyer whom it wants authenticated was.
 */
export function unheardMerchant({ site }: { site: Site }): string[] {
  const { server, bank, merchant } = site
  const begun = server.rows(selectBegun, [])
  const held = new Set(
    server
      .rows('SELECT id, payment_id FROM payment_attempts', [])
      .filter(({ id }) => (bank.charges.get(String(id))?.authorised ?? 0) > 0)
      .map(({ payment_id: paymentId }) => paymentId),
  )
  const words = Map.groupBy(merchant.words, ({ paymentId }) => paymentId)
  return begun.flatMap(({ id, amount, session }) => {
    const ofPayment = words.get(String(id)) ?? []
    const risk = ofPayment.findLast(({ kind }) => kind === 'risk')
    const stock = ofPayment.findLast(({ kind }) => kind === 'stock')
    return [
      ...(risk?.isHeard === true && risk.says !== 'refuse' && risk.amount === amount
        ? []
        : [`${String(id)} of ${String(amount)} was begun, and of its risk was said ${JSON.stringify(risk)}`]),
      ...(stock?.isHeard === true && stock.says === 'refuse' ? [`${String(id)} was begun, and is out of stock`] : []),
      ...(risk?.says === 'challenge' && session === null && held.has(String(id))
        ? [`${String(id)} is charged, and its buyer was not authenticated`]
        : []),
    ]
  })
}

/** Of renewals the merchant's server is not asked: their buyers have agreed before. */
const selectBegun = `SELECT id, amount, threeds_session_id AS session FROM payments
  WHERE amount > 0 AND coalesce(agreement ->> 'initiatedBy', '') <> 'merchant' ORDER BY id`
