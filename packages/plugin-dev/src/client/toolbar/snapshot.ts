import type { BuyerSession } from '@tillwright/contract'
import type { Scenario } from '../../scenarios/scenario.ts'
import { askSession } from './session-api.ts'

/** A session as it can be brought back: what was said in it, and where it was. */
export interface Snapshot {
  takenAt: string
  scenario: Scenario
  stepId: string | null
  codes: string[]
  contact: Record<string, unknown> | null
  address: Record<string, unknown> | null
}

/** Takes a session down. Its lines and currency become those of the scenario that it begins with again. */
export function snapshotOf(session: BuyerSession, scenario: Scenario): Snapshot {
  const { order, customer, step } = session
  const lines = (order?.lines ?? []).map(({ variantId, quantity }) => ({ variantId, quantity }))
  const { email, firstName, lastName, phone, billingAddress, shippingAddress } = Object(customer)
  const entered = order === null ? [] : [...order.promotions.applied, ...order.promotions.leftOut]
  const codes = entered.flatMap(({ code }) => code ?? [])
  return {
    takenAt: new Date().toISOString(),
    scenario: { ...scenario, lines, ...(order !== null && { currency: order.currency }) },
    stepId: step?.id ?? null,
    codes: [...new Set(codes)],
    contact: !email ? null : { email, firstName, lastName, phone },
    address: billingAddress == null && shippingAddress == null ? null : { billingAddress, shippingAddress },
  }
}

/** Whether something was paid in a session; that cannot be brought back, since money is not moved by a snapshot. */
export function isPaid({ order }: Pick<BuyerSession, 'order'>): boolean {
  return order?.status === 'paid'
}

/** Says again in a session that has just begun what was said in the one of the snapshot. */
export async function replay({ codes, contact, address, stepId }: Snapshot): Promise<void> {
  for (const code of codes) await askSession('POST', '/promotion-codes', { code })
  if (contact !== null) await askSession('PUT', '/contact', contact)
  if (address !== null) await askSession('PUT', '/address', address)
  if (stepId !== null) await askSession('POST', '/go-to', { stepId })
}
