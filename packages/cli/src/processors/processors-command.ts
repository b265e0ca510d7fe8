import { choices, type ListedProcessor } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { several, severalOf } from '../option-values.ts'
import { merchantOf, type MerchantOptions } from './merchant-options.ts'
import { readSecret } from './read-secret.ts'
import { showProcessor, showProcessors } from './show-processors.ts'

interface AddOptions extends OutputOptions, MerchantOptions {
  account?: string
  name: string
  driver: ListedProcessor['driver']
  secretFromStdin?: true
  currency?: string[]
  brand?: NonNullable<ListedProcessor['brands']>
  apiUrl?: string
}

const accountOption = ['--account <id>', 'whose processor; may be left out where there is one account'] as const

const addHelp = `
A processor of Stripe's is spoken to with a secret key of yours, which is kept sealed and never shown:
  tillwright processors add --driver stripe --name "Stripe" --secret-from-stdin < key.txt
or with the key in TILLWRIGHT_PROCESSOR_SECRET. Your account at Stripe must be allowed to send card numbers.

For 3-D Secure name the merchant as its acquirer knows it, all of it:
  --merchant-id M1 --mcc 5411 --merchant-name "Canvas & Co" --merchant-country US --acquirer-bin 445566

Payments are sent to it as soon as a payment flow names it.`

const add = new Command('add')
  .description('Add a processor that can charge cards')
  .requiredOption('--name <name>', 'what the processor is called')
  .addOption(
    new Option('--driver <driver>', 'who charges the cards').choices(choices.drivers).makeOptionMandatory(true),
  )
  .option(...accountOption)
  .option('--secret-from-stdin', 'read its secret key from the standard input')
  .addOption(several(['--currency <code>', 'a currency that it takes, may be repeated; all unless given']))
  .addOption(
    severalOf(
      ['--brand <network>', 'a network whose cards it takes, may be repeated; all unless given'],
      choices.networks,
    ),
  )
  .option('--merchant-id <id>', "the merchant's id at the acquirer")
  .option('--mcc <code>', "the merchant's category code, four digits")
  .option('--merchant-name <name>', "the merchant's name as the buyer's bank shows it")
  .option('--merchant-country <code>', "the merchant's country, such as US")
  .option('--merchant-url <url>', "the address of the merchant's shop")
  .addOption(several(['--acquirer-bin <bin>', "the acquirer's BIN, or visa=BIN for one network; may be repeated"]))
  .option('--api-url <url>', "where somebody stands in for the processor's API; not in production")
  .option(...jsonOption)
  .addHelpText('after', `${addHelp}\n${settingsHelp}`)
  .action((options: AddOptions) =>
    operate(
      options,
      async ({ processors }) =>
        processors.add({
          ...(options.account !== undefined && { account: options.account }),
          name: options.name,
          driver: options.driver,
          secret: await readSecret({
            fromStdin: options.secretFromStdin === true,
            stdin: process.stdin,
            env: process.env,
          }),
          settings: settingsOf(options),
        }),
      { show: showProcessor },
    ),
  )

const list = new Command('list')
  .description('List the processors of an account, the oldest first')
  .option(...accountOption)
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: OutputOptions & { account?: string }) =>
    operate(options, ({ processors }) => processors.list(options.account), { show: showProcessors }),
  )

const secretHelp = `
In Stripe's dashboard add an endpoint for the events charge.dispute.created, charge.dispute.updated,
charge.dispute.closed, charge.refunded and payment_intent.* at
  https://<your API>/api/processors/v1/<account>/<processor>/stripe-events
and pipe in the signing secret that it shows:
  tillwright processors set-webhook-secret processor_... --secret-from-stdin < whsec.txt`

const setWebhookSecret = new Command('set-webhook-secret')
  .description("Take a Stripe processor's own events: disputes, refunds made there, outcomes that were not known")
  .argument('<id>', 'the processor: processor_...')
  .option('--secret-from-stdin', 'read the signing secret from the standard input')
  .option(...jsonOption)
  .addHelpText('after', `${secretHelp}\n${settingsHelp}`)
  .action((id: string, options: OutputOptions & { secretFromStdin?: true }) =>
    operate(
      options,
      async ({ processors }) =>
        processors.setWebhookSecret(
          id,
          await readSecret({
            fromStdin: options.secretFromStdin === true,
            stdin: process.stdin,
            env: process.env,
          }),
        ),
      { show: showProcessor },
    ),
  )

const archive = new Command('archive')
  .description('Archive a processor for good: payment flows pick it no more, past payments still name it')
  .argument('<id>', 'the processor: processor_...')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((id: string, options: OutputOptions) =>
    operate(options, ({ processors }) => processors.archive(id), { show: showProcessor }),
  )

/** `tillwright processors`: who charges cards. */
export const processorsCommand = new Command('processors')
  .addCommand(add)
  .addCommand(list)
  .addCommand(setWebhookSecret)
  .addCommand(archive)

function settingsOf(options: AddOptions) {
  const { currency = null, brand = null, apiUrl = null } = options
  return { currencies: currency, brands: brand, merchant: merchantOf(options), apiUrl }
}
