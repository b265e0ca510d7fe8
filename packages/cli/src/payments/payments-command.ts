import { Command } from 'commander'
import { jsonOption, operate, settingsHelp, type OutputOptions } from '../operate.ts'
import { showLedger } from './show-ledger.ts'
import { showPayment } from './show-payment.ts'

type Options = OutputOptions & { account?: string }

const accountOption = ['--account <id>', 'whose payment; may be left out where there is one account'] as const

const ledgerHelp = `
Amounts are in minor units of the payment's currency; a debit is positive, a credit negative, and all of them sum to zero.
processor: what the processors hold. sales: what was sold. refunds: what was given back. disputes: what is withheld while
disputes are open. losses: what lost disputes have cost.`

const show = new Command('show')
  .description('Show where the money of a payment stands')
  .argument('<id>', 'the payment: pay_...')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((id: string, { json, ...options }: Options) =>
    operate(json === true ? { json } : {}, ({ payments }) => payments.get({ id, ...options }), { show: showPayment }),
  )

const ledger = new Command('ledger')
  .description('Show the ledger of a payment')
  .argument('<id>', 'the payment: pay_...')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', `${ledgerHelp}\n${settingsHelp}`)
  .action((id: string, { json, ...options }: Options) =>
    operate(json === true ? { json } : {}, ({ payments }) => payments.ledger({ id, ...options }), { show: showLedger }),
  )

/** `tillwright payments`: where money stands. It is moved through the API. */
export const paymentsCommand = new Command('payments')
  .description('Show payments and their ledgers')
  .addCommand(show)
  .addCommand(ledger)
