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
  driver: string
  secretFromStdin?: true
  currency?: string[]
  brand?: NonNullable<ListedProcessor['brands']>
  /** The settings of drivers' own, by the names that Commander makes of their options. */
  [setting: string]: unknown
}

const accountOption = ['--account <id>', 'whose processor; may be left out where there is one account'] as const

const addHelp = `
${texts(choices.drivers.map(({ help }) => help))}

For 3-D Secure name the merchant as its acquirer knows it, all of it:
  --merchant-id M1 --mcc 5411 --merchant-name "Canvas & Co" --merchant-country US --acquirer-bin 445566

Payments are sent to it as soon as a payment flow names it.`

const add = new Command('add')
  .description('Add a processor that can charge cards')
  .requiredOption('--name <name>', 'what the processor is called')
  .addOption(
    new Option('--driver <driver>', 'who charges the cards')
      .choices(choices.drivers.map(({ name }) => name))
      .makeOptionMandatory(true),
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
${texts(choices.drivers.map(({ eventsHelp }) => eventsHelp))}`

const setWebhookSecret = new Command('set-webhook-secret')
  .description("Take a processor's own events: disputes, refunds made there, outcomes that were not known")
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

for (const { flag, option } of choices.drivers.flatMap(({ settings }) => settings)) {
  if (add.options.every(({ long }) => long !== flag)) add.option(`${flag} <${option.value}>`, option.description)
}

/** `tillwright processors`: who charges cards. */
export const processorsCommand = new Command('processors')
  .addCommand(add)
  .addCommand(list)
  .addCommand(setWebhookSecret)
  .addCommand(archive)

function settingsOf(options: AddOptions) {
  const { currency = null, brand = null } = options
  const own = choices.drivers.flatMap(({ settings }) => settings).map(({ name }) => [name, options[name] ?? null])
  return { ...Object.fromEntries(own), currencies: currency, brands: brand, merchant: merchantOf(options) }
}

/** What drivers have to say, one after the other. */
function texts(said: readonly (string | null)[]): string {
  return said.filter(Boolean).join('\n\n')
}
