import { Command } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { showExplanation } from './show-explanation.ts'
import { showLedger } from './show-ledger.ts'
import { showPayment } from './show-payment.ts'

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
