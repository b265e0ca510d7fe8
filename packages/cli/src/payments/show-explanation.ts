import type { ExplainedPayment } from '@tillwright/platform'
import { facts } from '../terminal/align.ts'

type Attempt = ExplainedPayment['payment']['attempts'][number]
type Names = ExplainedPayment['processors']

/** A payment's way over the processors, for people. */
export function showExplanation({ payment, flow, processors }: ExplainedPayment): string {
  const { id, status, declineCode, amount, currency, customerId, createdAt, attempts, routing } = payment
  const head = facts([
    ['payment', id],
    ['status', declineCode === null ? status : `${status}: ${declineCode}`],
    ['amount', `${amount} minor units of ${currency}`],
    ['flow', `${flow.id} ${flow.name ?? ''}`.trim()],
    ['customer', customerId],
    ['asked for', createdAt],
    ...(routing.overLimits.length === 0
      ? []
      : [['abuse detection', `over ${routing.overLimits.join(', ')}: ${routing.abuseAction}`] as const]),
  ])
  const shown = attempts.map((attempt, index) => showAttempt(attempt, index + 1, processors))
  return [head, ...shown, `${ending(payment)}\n`].join('\n')
}

function showAttempt(
  { id, processorId, decision, outcome, declineCode, advice, finishedAt }: Attempt,
  number: number,
  names: Names,
): string {
  const { pool, candidates, dropped, sticky, draw } = decision
  const name = (processor: string) => names[processor] ?? processor
  const reason = [declineCode, advice === null ? null : `advice ${advice}`].filter((each) => each !== null).join(', ')
  const chosen = sticky === 'kept' ? 'kept with the last success' : `drawn with ${draw.toFixed(6)}`
  return `Attempt ${number}: ${name(processorId)} (${processorId})\n${facts([
    ['  id', id],
    ['  chosen', `${chosen}, from the ${pool} processors`],
    ['  candidates', candidates.map(({ processorId: each, weight }) => `${name(each)} ${weight}`).join(', ') || '-'],
    ['  left out', dropped.map(({ processorId: each, reason: why }) => `${name(each)}: ${why}`).join(', ') || '-'],
    ['  sticky', sticky],
    ['  outcome', `${outcome ?? 'under way'}${reason === '' ? '' : ` (${reason})`}`],
    ['  known', finishedAt ?? 'not yet'],
  ])}`
}

const endings: Readonly<Record<NonNullable<ExplainedPayment['payment']['routing']['stopped']>, string>> = {
  hard_decline: 'Nobody else was asked: the issuer will not say anything else.',
  authentication_required: 'Nobody else was asked: the buyer has to authenticate.',
  single_processor: "Nobody else was asked: the flow's strategy is `simple`.",
  fallback_off: "Nobody else was asked: the flow's `fallbackMode` is off.",
  retries_used_up: "Nobody else was asked: the flow's `maxFallbackRetries` is used up.",
  no_processor_left: 'Nobody else was asked: the flow has no other processor that can be.',
  scheme_limit: 'Nobody was asked any more: the card was declined as often as its network allows.',
  recovered: 'The outcome was found out later, so nobody else was asked.',
}

function ending({ status, routing }: ExplainedPayment['payment']): string {
  if (routing.stopped !== null) return endings[routing.stopped]
  if (status !== 'processing') return 'It went no further.'
  return 'The outcome is not known yet: the processor is being asked, and nobody else may be.'
}
