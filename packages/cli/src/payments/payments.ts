import type { ExplainedPayment, PaymentLedger } from '@tillwright/platform'
import { Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'

type Options = OutputOptions & { account?: string }

const accountOption = ['--account <id>', 'whose; may be left out where there is one account'] as const

const explainHelp = `
For each attempt: which processors could have been asked and which not, the draw, and what the processor answered; then why
no other was asked. The draw is reckoned from the attempt's id, so the choice can be repeated.`

const ledgerHelp = `
Amounts are in minor units of the payment's currency; a debit is positive, a credit negative, and all of them sum to zero.
processor: what the processors hold. sales: what was sold. refunds: what was given back. disputes: what is withheld while
disputes are open. losses: what lost disputes have cost.`

const explain = new Command('explain')
  .description('Tell why a payment went to the processors it went to, and what they answered')
  .argument('<id>', 'the payment: pay_...')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', `${explainHelp}\n${settingsHelp}`)
  .action((payment: string, { account, ...output }: Options) =>
    operate(output, ({ payments }) => payments.explain({ payment, ...(account !== undefined && { account }) }), {
      show: showExplanation,
    }),
  )

const show = new Command('show')
  .description('Show where the money of a payment stands')
  .argument('<id>', 'the payment: pay_...')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((payment: string, { account, ...output }: Options) =>
    operate(output, ({ payments }) => payments.get({ payment, ...(account !== undefined && { account }) }), {
      show: showPayment,
    }),
  )

const ledger = new Command('ledger')
  .description('Show the ledger of a payment')
  .argument('<id>', 'the payment: pay_...')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', `${ledgerHelp}\n${settingsHelp}`)
  .action((payment: string, { account, ...output }: Options) =>
    operate(output, ({ payments }) => payments.ledger({ payment, ...(account !== undefined && { account }) }), {
      show: showLedger,
    }),
  )

/** `tillwright payments`: what became of payments, and why. Money is moved through the API. */
export const paymentsCommand = new Command('payments').addCommand(explain).addCommand(show).addCommand(ledger)

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

/** A payment's ledger, with the sum that has to be zero. */
export function showLedger({ payment, lines }: PaymentLedger): string {
  if (lines.length === 0) return `Nothing was booked of the payment ${payment.id}: it is ${payment.status}.\n`
  const rows = lines.map(({ createdAt, entry, booking, ledgerAccount, amount, currency }) => [
    createdAt,
    entry,
    booking,
    ledgerAccount,
    String(amount),
    currency,
  ])
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const total = ['', '', '', 'sum', String(sum), payment.currency]
  return table(['at', 'entry', 'booking', 'account', 'amount', 'currency'], [...rows, total])
}

/** Where the money of a payment stands, in minor units. */
export function showPayment(payment: PaymentLedger['payment']): string {
  const { id, accountId, orderId, status, currency, amount, capturedAmount, refundedAmount, disputes } = payment
  return facts([
    ['id', id],
    ['account', accountId],
    ['order', orderId],
    ['status', status],
    ['amount', `${amount} ${currency}`],
    ['captured', `${capturedAmount} ${currency}, ${payment.captureMethod}`],
    ['refunded', `${refundedAmount} ${currency}`],
    ['disputes', disputes.map((dispute) => `${dispute.id} ${dispute.status} ${dispute.amount}`).join(', ') || '-'],
    [
      'attempts',
      payment.attempts.map(({ processorId, outcome }) => `${processorId} ${outcome ?? '-'}`).join(', ') || '-',
    ],
  ])
}
