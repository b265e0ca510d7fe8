import type { Contract, Dispute, DisputeEvidence, Payment } from '@tillwright/contract'
import { findDispute, paymentAttemptsTable, disputesTable, readPayment } from '../ledger/index.ts'
import { inTime } from '../payments/index.ts'
import { type Driver, driverFor, type EvidenceOutcome } from '../processors/index.ts'
import type { Handler, RequestContext } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { nullable, pick, rowReader } from '../storage/index.ts'
import { noteEvidence } from './dispute-changes.ts'

/** Sends evidence for a dispute to the bank, through the processor that has charged its payment. */
export function submitEvidence({ driverOf }: Charging): Handler<Contract['disputes']['submitEvidence']> {
  return async ({ params: { disputeId }, body }, context) => {
    const { accountId } = context.caller
    const dispute = await findDispute(disputeId, accountId, context.services.db)
    if (dispute === null) throw missing('dispute', disputeId)
    requireTime(dispute, context)
    const payment = await readPayment(dispute.paymentId, accountId, context.services.db)
    if (payment === null) throw missing('payment', dispute.paymentId)
    const { processorId, reference } = await findPlace(dispute, context)
    // A simulated dispute exists only here: there is no bank to send anything to.
    if (reference !== null) {
      const driver = await driverFor(payment, processorId, driverOf)
      const id = context.newId('req')
      refuseUnless(await send({ id, reference, evidence: body }, { driver, payment }, context), disputeId)
    }
    return noteEvidence({ dispute, payment }, context)
  }
}

function requireTime({ id, status, respondBy }: Dispute, { nowMs }: RequestContext): void {
  if (status !== 'open') throw new ApiError('state_conflict', `The dispute '${id}' is ${status} already.`)
  if (respondBy === null || nowMs < Date.parse(respondBy)) return
  throw new ApiError('state_conflict', `The time for evidence of the dispute '${id}' was over at ${respondBy}.`)
}

/** The processor that has charged the payment, and what it calls the dispute. */
async function findPlace({ accountId, id, paymentId }: Dispute, { services: { db } }: RequestContext) {
  const [row] = readPlaces(await db.read(selectPlace, [accountId, id]))
  if (row === undefined) throw new Error(`No processor has charged the payment ${paymentId}, which is disputed.`)
  return { processorId: row.processor_id, reference: row.reference }
}

const selectPlace = `SELECT a.processor_id, d.reference FROM disputes d
  JOIN payment_attempts a ON a.account_id = d.account_id AND a.payment_id = d.payment_id AND a.status = 'succeeded'
  WHERE d.account_id = ? AND d.id = ?`
const readPlaces = rowReader({
  ...pick(paymentAttemptsTable, 'processor_id'),
  reference: nullable(disputesTable.reference),
})

interface Sent {
  id: string
  reference: string
  evidence: DisputeEvidence
}

async function send(
  evidence: Sent,
  { driver, payment }: { driver: Driver; payment: Payment },
  { services }: RequestContext,
): Promise<EvidenceOutcome> {
  const { submitEvidence: submit } = driver
  if (submit === undefined) return { outcome: 'refused', reason: 'unsupported' }
  const answer = await inTime(() => submit(evidence), { paymentId: payment.id, id: evidence.id }, services)
  if (answer.outcome !== 'unknown') return answer
  const message = 'The processor did not answer, and the evidence may have arrived; look at the dispute there.'
  throw new ApiError('upstream_failed', message, { paymentId: payment.id })
}

function refuseUnless(answer: EvidenceOutcome, disputeId: string): void {
  if (answer.outcome === 'submitted') return
  if (answer.reason === 'unavailable') {
    throw new ApiError('upstream_failed', 'The processor could not take the evidence; try again in a moment.')
  }
  if (answer.reason === 'too_long') throw tooLong(answer)
  throw new ApiError('state_conflict', `The dispute '${disputeId}' ${whyNot[answer.reason]}.`)
}

function tooLong({ fields, atMost }: Extract<EvidenceOutcome, { reason: 'too_long' }>): ApiError {
  const [param] = fields
  const what = `Its processor takes ${atMost} characters of ${fields.join(', ')}, all together with their labels`
  return new ApiError('parameter_invalid', `${what}; nothing was sent. Shorten them.`, { param })
}

const whyNot = {
  too_late: 'takes no evidence any more, as its processor says',
  unsupported: 'takes no evidence through this API; answer it in the dashboard of its processor',
  unknown_reference: 'is not known to its processor; compare it with what that shows',
} as const
