import type { ExplainedPayment, PaymentLedger } from '@tillwright/platform'
import { Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { operationCommands } from '../resources/resource-command.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { showAmount } from '../terminal/show-amount.ts'

type Options = OutputOptions & { account?: string }

const accountOption = ['--account <id>', 'the account; optional if there is only one'] as const

const explainHelp = `
For each attempt: which processors were eligible and which were not, the draw, and the processor's answer; then why
no other processor was tried. The draw is derived from the attempt's id, so the choice can be reproduced.`

const ledgerHelp = `
Amounts are in the currency's major unit, and with --json in its minor one, as in the API; debits are positive, credits negative, and they sum to zero.
processor: held by processors. sales: sold. refunds: returned to buyers. disputes: withheld while disputes are open.
losses: cost of lost disputes.`

const explain = new Command('explain')
  .description('Explain why a payment went to its processors, and what they answered')
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
  .description("Show where a payment's money is")
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

/** `tillwright payments`: the operations of the API, and on the database what a payment's processors and money did. */
export const paymentsCommand = [explain, show, ledger, ...operationCommands('payments')].reduce(
  (group, each) => group.addCommand(each),
  new Command('payments'),
)

type Attempt = ExplainedPayment['payment']['attempts'][number]
type Names = ExplainedPayment['processors']

/** A payment's attempts at processors, for people. */
export function showExplanation({ payment, flow, processors }: ExplainedPayment): string {
  const { id, status, declineCode, amount, currency, customerId, createdAt, attempts, routing } = payment
  const head = facts([
    ['payment', id],
    ['status', declineCode === null ? status : `${status}: ${declineCode}`],
    ['amount', `${amount} minor units of ${currency}`],
    ['flow', `${flow.id} ${flow.name ?? ''}`.trim()],
    ['customer', customerId],
    ['asked for', createdAt],
    ...exemptions(routing.sca),
    ...(routing.overLimits.length === 0
      ? []
      : [['abuse detection', `over ${routing.overLimits.join(', ')}: ${routing.abuseAction}`] as const]),
  ])
  const shown = attempts.map((attempt, index) => showAttempt(attempt, index + 1, processors))
  return [head, ...shown, `${ending(payment)}\n`].join('\n')
}

/** Each exemption that was considered, with its article and why it applies or does not. */
function exemptions(sca: ExplainedPayment['payment']['routing']['sca']): (readonly [string, string])[] {
  if (sca === null) return []
  const { scope, asked, requestedIn, result, considered } = sca
  const request =
    asked === null ? `none: ${scope === 'in_scope' ? 'none applies' : scope}` : `${asked}, in the ${requestedIn}`
  return [
    ['exemption', result === null ? request : `${request}: ${result}`],
    ...considered.map(({ exemption, article, reason }) => [`  ${exemption}`, `article ${article}: ${reason}`] as const),
  ]
}

function showAttempt(
  { id, processorId, decision, outcome, declineCode, advice, finishedAt }: Attempt,
  number: number,
  names: Names,
): string {
  const { pool, candidates, dropped, sticky, draw, sca } = decision
  const name = (processor: string) => names[processor] ?? processor
  const reason = [declineCode, advice === null ? null : `advice ${advice}`].filter((each) => each !== null).join(', ')
  const chosen = sticky === 'kept' ? 'kept with the processor of the last success' : `drawn with ${draw.toFixed(6)}`
  return `Attempt ${number}: ${name(processorId)} (${processorId})\n${facts([
    ['  id', id],
    ['  chosen', `${chosen}, from the ${pool} processors`],
    ['  candidates', candidates.map(({ processorId: each, weight }) => `${name(each)} ${weight}`).join(', ') || '-'],
    ['  left out', dropped.map(({ processorId: each, reason: why }) => `${name(each)}: ${why}`).join(', ') || '-'],
    ['  sticky', sticky],
    ['  outcome', `${outcome ?? 'under way'}${reason === '' ? '' : ` (${reason})`}`],
    ...exemptions(sca).map(([term, text]) => [`  ${term}`, text] as const),
    ['  known', finishedAt ?? 'not yet'],
  ])}`
}

const endings: Readonly<Record<NonNullable<ExplainedPayment['payment']['routing']['stopped']>, string>> = {
  hard_decline: "No other processor was tried: the issuer's answer is final.",
  authentication_required: 'No other processor was tried: the buyer has to authenticate.',
  single_processor: "No other processor was tried: the flow's strategy is `simple`.",
  fallback_off: "No other processor was tried: the flow's `fallbackMode` is off.",
  retries_used_up: "No other processor was tried: the flow's `maxFallbackRetries` is used up.",
  no_processor_left: 'No other processor was tried: the flow has no other eligible one.',
  scheme_limit: "No other processor was tried: the card reached its network's limit of declines.",
  retry_forbidden: 'No processor was tried: the issuer has said that it will never approve the card.',
  retry_too_early: "No other processor was tried: the card's network asked to wait after the decline.",
  cryptogram_used: "No other processor was tried: the wallet's cryptogram is good for one authorization.",
  card_deleted: 'No processor was tried: the card was deleted.',
  card_inactive: 'No processor was tried: the card is not active.',
  recovered: 'No other processor was tried: the outcome was found later.',
}

function ending({ status, routing }: ExplainedPayment['payment']): string {
  if (routing.stopped !== null) return endings[routing.stopped]
  if (status !== 'processing') return 'No other processor was needed.'
  return 'The outcome is not known yet: the processor is being asked, and no other may be tried.'
}

/** A payment's ledger, with its sum, which has to be zero. */
export function showLedger({ payment, lines }: PaymentLedger): string {
  if (lines.length === 0) return `The payment ${payment.id} has no ledger entries: it is ${payment.status}.\n`
  const rows = lines.map(({ createdAt, entry, booking, ledgerAccount, amount, currency }) => [
    createdAt,
    entry,
    booking,
    ledgerAccount,
    showAmount(amount, currency),
    currency,
  ])
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const total = ['', '', '', 'sum', showAmount(sum, payment.currency), payment.currency]
  return table(['at', 'entry', 'booking', 'account', 'amount', 'currency'], [...rows, total])
}

/** Where a payment's money is, in the currency's major unit. */
export function showPayment(payment: PaymentLedger['payment']): string {
  const { id, accountId, orderId, status, currency, amount, capturedAmount, refundedAmount, disputes } = payment
  const inCurrency = (minor: number) => `${showAmount(minor, currency)} ${currency}`
  return facts([
    ['id', id],
    ['account', accountId],
    ['order', orderId],
    ['status', status],
    ['amount', inCurrency(amount)],
    ['captured', `${inCurrency(capturedAmount)}, ${payment.captureMethod}`],
    ['refunded', inCurrency(refundedAmount)],
    ['disputes', disputes.map((each) => `${each.id} ${each.status} ${inCurrency(each.amount)}`).join(', ') || '-'],
    [
      'attempts',
      payment.attempts.map(({ processorId, outcome }) => `${processorId} ${outcome ?? '-'}`).join(', ') || '-',
    ],
  ])
}
