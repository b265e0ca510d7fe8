import type { Payment } from '@tillwright/contract'
import { drawOf } from '../../ambient/draw-of.ts'
import { pickProcessor, type Picking } from './pick-processor.ts'

/** What a payment of the past was chosen by: its first attempt, and where that went. */
export interface PastPayment {
  attemptId: string
  /** Where the first attempt went. */
  processorId: string
  customerId: string
  currency: string
  brand: string
  status: Payment['status']
}

/** Where payments go by another flow. */
export interface FlowReplay {
  payments: number
  /** Those that went to the same processor. */
  unchanged: number
  /** Those that no processor of the flow could take. */
  refused: number
  /** Each processor that took or would take some, by the number that it would. */
  processors: { processorId: string; before: number; after: number }[]
}

/** The flow, and what its processors take now. */
export type ReplayedFlow = Pick<Picking, 'flow' | 'processors'> & { keepsCustomers: boolean }

/**
 * Runs payments of the past through the first choice of a flow. Each keeps its draw, so that a flow that is no different
 * chooses no differently. Customers stay with the processor that the replay has chosen for their last success; which
 * processors were failing at the time is not known any more, so none is left out for it.
 *
 * @param payments The oldest first.
 */
export function replayFlow(
  payments: readonly PastPayment[],
  { flow, processors, keepsCustomers }: ReplayedFlow,
): FlowReplay {
  const before = new Map<string, number>()
  const after = new Map<string, number>()
  const lastSuccess = new Map<string, string>()
  let [unchanged, refused] = [0, 0]
  for (const { attemptId, processorId, customerId, currency, brand, status } of payments) {
    const kept = lastSuccess.get(customerId)
    const sticky = kept === undefined ? 'none' : { processorId: kept }
    const of = { flow, processors, currency, brand, tried: nobody, failing: nobody, draw: drawOf(attemptId) }
    const choice = pickProcessor({ ...of, lastSuccess: keepsCustomers ? sticky : 'off' }).processorId
    before.set(processorId, (before.get(processorId) ?? 0) + 1)
    if (choice === null) refused += 1
    else after.set(choice, (after.get(choice) ?? 0) + 1)
    if (choice === processorId) unchanged += 1
    if (choice !== null && succeeded.has(status)) lastSuccess.set(customerId, choice)
  }
  const ids = [...new Set([...before.keys(), ...after.keys()])]
  const shares = ids.map((id) => ({ processorId: id, before: before.get(id) ?? 0, after: after.get(id) ?? 0 }))
  return { payments: payments.length, unchanged, refused, processors: shares.toSorted((a, b) => b.after - a.after) }
}

const nobody: ReadonlySet<string> = new Set()
const succeeded: ReadonlySet<Payment['status']> = new Set(['succeeded', 'partially_refunded', 'refunded'])
