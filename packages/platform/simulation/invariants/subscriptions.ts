import type { Plan } from '../plan.ts'
import type { Town } from '../world/people.ts'
import type { Site } from '../world/platforms.ts'
import { MONTHLY } from '../world/shop.ts'
import { ON_TIME } from './payment-rows.ts'

/** Each period of a subscription is paid once, and no due renewal is left. */
export function wrongSubscriptions({ site, plan }: { site: Site; plan: Plan }): string[] {
  const rows = site.server.rows(
    'SELECT id, status, period, renewal_payment_id, holder FROM subscriptions ORDER BY id',
    [],
  )
  return rows.flatMap(({ id, status, period, renewal_payment_id: underWay, holder }) => {
    const [paid] = site.server.rows(
      `SELECT count(*) AS n FROM payments WHERE subscriptions LIKE '%' || ? || '%' AND status IN ('succeeded', 'partially_refunded', 'refunded') AND ${ON_TIME}`,
      [id ?? ''],
    )
    const wanted = Number(period) + 1 // the first has the number 0
    const isActive = status === 'active'
    return [
      ...(isActive && Number(paid?.['n']) !== wanted
        ? [`${id} is in its period ${wanted}, and ${Number(paid?.['n'])} are paid`]
        : []),
      ...(plan.month && isActive && wanted < 2 ? [`${id} was not renewed in a month`] : []),
      ...(underWay === null && holder === null ? [] : [`${id} is still held for a renewal`]),
    ]
  })
}

/** A quantity that was acknowledged is charged from the next period on. */
export function wrongQuantities({ site, town }: { site: Site; town: Town }): string[] {
  return [...town.memory.quantities].flatMap(([id, quantity]) => {
    const renewals = site.server.rows(
      `SELECT amount FROM payments WHERE subscriptions LIKE '%' || ? || '%' AND subscriptions LIKE '%"occasion":"renewal"%'`,
      [id],
    )
    const wrong = renewals.filter(({ amount }) => Number(amount) !== quantity * MONTHLY)
    return wrong.map(({ amount }) => `${id} goes on with ${quantity}, and is charged ${String(amount)}`)
  })
}
