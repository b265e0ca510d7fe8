import { Command } from 'commander'
import { jsonOption, operate, settingsHelp, type OutputOptions } from '../operate.ts'
import { showExplanation } from './show-explanation.ts'

const explainHelp = `
For each attempt: which processors could have been asked and which not, the draw, and what the processor answered; then why
no other was asked. The draw is reckoned from the attempt's id, so the choice can be repeated.`

const explain = new Command('explain')
  .description('Tell why a payment went to the processors it went to, and what they answered')
  .argument('<id>', 'the payment: pay_...')
  .option('--account <id>', 'whose; may be left out where there is one account')
  .option(...jsonOption)
  .addHelpText('after', `${explainHelp}\n${settingsHelp}`)
  .action((payment: string, { account, ...output }: OutputOptions & { account?: string }) =>
    operate(output, ({ payments }) => payments.explain({ payment, ...(account !== undefined && { account }) }), {
      show: showExplanation,
    }),
  )

/** `tillwright payments`: what became of payments, and why. */
export const paymentsCommand = new Command('payments')
  .description('See why payments went where they went')
  .addCommand(explain)
