import type { BuyerSession } from '@tillwright/contract'
import type { Scenario } from '../../scenarios/index.ts'
import { sessionToken } from '../live-data.ts'

/** Everything needed to restore a session: the buyer's input and the current step. */
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

/** Enters the snapshot's input into a new session. */
export async function replay({ codes, contact, address, stepId }: Snapshot): Promise<void> {
  for (const code of codes) await askSession('POST', '/promotion-codes', { code })
  if (contact !== null) await askSession('PUT', '/contact', contact)
  if (address !== null) await askSession('PUT', '/address', address)
  if (stepId !== null) await askSession('POST', '/go-to', { stepId })
}

/** The toolbar's own requests are not recorded with the page's. */
const send = window.fetch.bind(window)

/** Asks the session API as the page itself would; every answer is the session as it is then. */
export async function askSession(method: string, path: string, body?: object): Promise<BuyerSession> {
  const response = await send(`/__tillwright/api/api/session/v1/session${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${sessionToken()}`,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Idempotency-Key': newKey() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(String(answer?.error?.message ?? `The platform answered ${response.status}.`))
}

/** Not randomUUID(), which a page on the network without HTTPS lacks. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
