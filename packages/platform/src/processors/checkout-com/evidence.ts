import type { DisputeEvidence } from '@tillwright/contract'
import { z } from 'zod'
import type { Evidence, EvidenceOutcome } from '../driver.ts'
import { refusalOf } from '../processor-error.ts'
import { checkoutDispute } from './answers.ts'
import { ask, type CheckoutClient } from './client.ts'

/** The longest text that Checkout.com takes, in characters. Source: its libraries, "Provide dispute evidence". */
const TEXT_MAX_CHARS = 500

/**
 * The fields of evidence that go into each text of Checkout.com's, which has fewer. Source: its API reference, "Provide
 * dispute evidence".
 */
const texts: Readonly<Record<string, readonly (keyof DisputeEvidence)[]>> = {
  proof_of_delivery_or_service_text: [
    'shippingCarrier',
    'shippingTrackingNumber',
    'shippingAddress',
    'accessActivityLog',
  ],
  proof_of_delivery_or_service_date_text: ['shippingDate', 'serviceDate'],
  invoice_or_receipt_text: [
    'productDescription',
    'customerName',
    'customerEmail',
    'customerPurchaseIp',
    'billingAddress',
  ],
  refund_or_cancellation_policy_text: [
    'refundPolicyDisclosure',
    'refundRefusalExplanation',
    'cancellationPolicyDisclosure',
    'cancellationRebuttal',
  ],
  additional_evidence_text: ['uncategorizedText'],
}

const labels: Readonly<Record<keyof DisputeEvidence, string>> = {
  productDescription: 'Sold',
  customerName: 'Buyer',
  customerEmail: 'E-mail address',
  customerPurchaseIp: 'Ordered from the IP address',
  billingAddress: 'Billing address',
  shippingAddress: 'Shipped to',
  shippingCarrier: 'Carrier',
  shippingTrackingNumber: 'Tracking number',
  shippingDate: 'Shipped on',
  serviceDate: 'Service rendered on',
  refundPolicyDisclosure: 'How the refund policy was shown',
  refundRefusalExplanation: 'Why there was no refund',
  cancellationPolicyDisclosure: 'How cancelling was shown',
  cancellationRebuttal: 'Why it was not cancelled',
  accessActivityLog: 'Use',
  uncategorizedText: 'Also',
}

/**
 * Stores evidence at Checkout.com and submits it, which is possible once. If the answer to the submission is lost, both
 * requests are repeated; if the first submission had arrived, the answer then is `too_late`.
 */
export async function submitEvidence(
  { reference, evidence }: Evidence,
  { disputes }: CheckoutClient,
): Promise<EvidenceOutcome> {
  const composed = compose(evidence)
  if ('refused' in composed) return composed.refused
  try {
    await ask(disputes.provideEvidence(reference, composed.texts), noContent)
    await ask(disputes.submit(reference), noContent)
    return { outcome: 'submitted' }
  } catch (error) {
    if (refusalOf(error).status === NOT_FOUND) return { outcome: 'refused', reason: 'unknown_reference' }
    const { status } = await ask(disputes.getDetails(reference), checkoutDispute)
    return { outcome: 'refused', reason: status === 'evidence_required' ? 'unavailable' : 'too_late' }
  }
}

const NOT_FOUND = 404
const noContent = z.unknown()

function compose(evidence: DisputeEvidence): { texts: Record<string, string> } | { refused: EvidenceOutcome } {
  const composed: Record<string, string> = {}
  for (const [text, names] of Object.entries(texts)) {
    const [first, ...rest] = names.filter((name) => evidence[name] !== undefined)
    if (first === undefined) continue
    const fields: [typeof first, ...(typeof first)[]] = [first, ...rest]
    const value = fields.map((name) => `${labels[name]}: ${evidence[name]}`).join('\n')
    if (value.length > TEXT_MAX_CHARS) {
      return { refused: { outcome: 'refused', reason: 'too_long', fields, atMost: TEXT_MAX_CHARS } }
    }
    composed[text] = value
  }
  return { texts: composed }
}
