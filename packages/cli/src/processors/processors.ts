import { text as readAll } from 'node:stream/consumers'
import { contract, type ProcessorCheck } from '@tillwright/contract'
import { choices, type ListedProcessor } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { csvFromPlatform, manage, printCsv, type WayOptions, withEitherWay } from '../operate.ts'
import { several, severalOf } from '../option-values.ts'
import { filtersOf, shownBy, withFilters } from '../resources/list-filters.ts'
import { operationCommand } from '../resources/resource-command.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { answer, facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { type AcquirerOptions, acquirerOf, type MerchantOptions, merchantOf } from './merchant-options.ts'

interface AddOptions extends OutputOptions, WayOptions, MerchantOptions, AcquirerOptions {
  account?: string
  name: string
  driver: string
  secretFromStdin?: true
  currency?: string[]
  brand?: NonNullable<ListedProcessor['brands']>
  /** Settings of the drivers, by Commander's names of their options. */
  [setting: string]: unknown
}

const accountOption = ['--account <id>', 'the account; optional if there is only one'] as const

const addHelp = `
${texts(choices.drivers.map(({ help }) => help))}

For 3-D Secure, describe the merchant as registered with the acquirer, with all of these options:
  --merchant-id M1 --mcc 5411 --merchant-name "Canvas & Co" --merchant-country US --acquirer-bin 445566

The processor receives payments as soon as a payment flow includes it.`

const add = withEitherWay(new Command('add').alias('create'))
  .description('Add a processor that can charge cards')
  .requiredOption('--name <name>', "the processor's name")
  .addOption(
    new Option('--driver <driver>', 'its driver')
      .choices(choices.drivers.map(({ name }) => name))
      .makeOptionMandatory(true),
  )
  .option(...accountOption)
  .option('--secret-from-stdin', 'read its secret key from the standard input')
  .addOption(several(['--currency <code>', 'an accepted currency, may be repeated; all by default']))
  .addOption(
    severalOf(['--brand <network>', 'an accepted card network, may be repeated; all by default'], choices.networks),
  )
  .option('--merchant-id <id>', "the merchant's id at the acquirer")
  .option('--mcc <code>', 'the merchant category code, four digits')
  .option('--merchant-name <name>', "the merchant's name as shown by the buyer's bank")
  .option('--merchant-country <code>', "the merchant's country, such as US")
  .option('--merchant-url <url>', "the address of the merchant's website")
  .addOption(several(['--acquirer-bin <bin>', "the acquirer's BIN, or visa=BIN for one network; may be repeated"]))
  .option('--acquirer-country <code>', "the acquirer's country, such as DE, for exemptions from authentication")
  .option('--fraud-rate <percent>', "the acquirer's fraud rate for remote card payments, such as 0.06")
  .option(...jsonOption)
  .addHelpText('after', addHelp)
  .action((options: AddOptions) =>
    manage(
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
      showProcessor,
    ),
  )

const list = withFilters(contract.processors.list, withEitherWay(new Command('list')))
  .description("List an account's processors, oldest first")
  .option(...accountOption)
  .option(...jsonOption)
  .addOption(csvFromPlatform())
  .action((options: OutputOptions & WayOptions & { csv?: true }) => {
    const filters = filtersOf(contract.processors.list, options)
    return options.csv === true
      ? printCsv(contract.processors.list, options, filters)
      : manage(options, ({ processors }) => processors.list(options.account, filters), shownBy(filters, showProcessors))
  })

const get = withEitherWay(new Command('get'))
  .description('Show a processor, without its secrets')
  .argument('<id>', 'the processor: processor_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) =>
    manage(options, ({ processors }) => processors.get(id), showProcessor),
  )

const check = withEitherWay(new Command('check'))
  .description('Ask a processor, by a request that changes nothing there, whether it accepts its secret')
  .argument('<id>', 'the processor: processor_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) =>
    manage(
      options,
      async ({ processors }) => accepted(await processors.check(id)),
      ({ processorId }) => `${processorId} accepts its secret.\n`,
    ),
  )

/** @throws {CommandFailed} For a secret that is not accepted, or of which nothing is known. */
function accepted(checked: ProcessorCheck): ProcessorCheck {
  const { processorId, outcome, reason } = checked
  if (outcome === 'accepted') return checked
  throw new CommandFailed(
    outcome === 'refused'
      ? `${processorId} refuses its secret (${reason}): give it another with "tillwright processors update ${processorId} --secret-from-stdin".`
      : `${processorId} says nothing of its secret (${reason}): see whether it can be reached from here, and check again.`,
  )
}

interface UpdateOptions extends OutputOptions, TargetOptions {
  set?: readonly string[]
  secretFromStdin?: true
}

const update = withTarget(new Command('update'))
  .description('Change a processor of a running platform')
  .argument('<id>', 'the processor: processor_...')
  .addOption(several(['--set <path=value>', 'a field, such as name=Stripe; may be repeated']))
  .option('--secret-from-stdin', 'read a new secret key from the standard input')
  .option(...jsonOption)
  .addHelpText('after', '\nSettings are fields too: --set \'settings.currencies=["USD"]\'; null gives one its default.')
  .action((id: string, options: UpdateOptions) => answer(options, () => updateProcessor(id, options), showProcessor))

async function updateProcessor(id: string, options: UpdateOptions): Promise<ListedProcessor> {
  const { set = [], secretFromStdin } = options
  const shown = set.find((each) => /^(secret|webhookSecret)=/.test(each))?.split('=')[0]
  if (shown !== undefined) {
    const instead = shown === 'secret' ? 'use --secret-from-stdin' : 'use "tillwright processors set-webhook-secret"'
    throw new CommandFailed(`--set ${shown}: it would stay in the history of the shell; ${instead}.`)
  }
  const { callOperation } = await import('../resources/call-operation.ts')
  const { toListed } = await import('../operate-over-http.ts')
  const secret =
    secretFromStdin === true ? await readSecret({ fromStdin: true, stdin: process.stdin, env: process.env }) : null
  const sent = { processorId: id, ...(secret !== null && { secret: secret.trim() }) }
  const updated = await callOperation(
    { resource: 'processors', name: 'update', sent, set, changes: 'processorId' },
    options,
  )
  return toListed(contract.processors.update.response.parse(updated))
}

const secretHelp = `
${texts(choices.drivers.map(({ eventsHelp }) => eventsHelp))}`

const setWebhookSecret = withEitherWay(new Command('set-webhook-secret'))
  .description("Receive a processor's events: disputes, refunds made there, late outcomes")
  .argument('<id>', 'the processor: processor_...')
  .option('--secret-from-stdin', 'read the signing secret from the standard input')
  .option(...jsonOption)
  .addHelpText('after', secretHelp)
  .action((id: string, options: OutputOptions & WayOptions & { secretFromStdin?: true }) =>
    manage(
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
      showProcessor,
    ),
  )

const archive = withEitherWay(new Command('archive'))
  .description('Archive a processor for good: payment flows no longer pick it, past payments still show it')
  .argument('<id>', 'the processor: processor_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) =>
    manage(options, ({ processors }) => processors.archive(id), showProcessor),
  )

for (const { flag, option } of choices.drivers.flatMap(({ settings }) => settings)) {
  if (add.options.every(({ long }) => long !== flag)) add.option(`${flag} <${option.value}>`, option.description)
}

/** `tillwright processors`: manages processors. */
export const processorsCommand = new Command('processors')
  .addCommand(add)
  .addCommand(list)
  .addCommand(get)
  .addCommand(check)
  .addCommand(update)
  .addCommand(operationCommand('processors', 'listDrivers'))
  .addCommand(setWebhookSecret)
  .addCommand(archive)

function settingsOf(options: AddOptions) {
  const { currency = null, brand = null } = options
  const own = choices.drivers.flatMap(({ settings }) => settings).map(({ name }) => [name, options[name] ?? null])
  const known = { currencies: currency, brands: brand, merchant: merchantOf(options), acquirer: acquirerOf(options) }
  return { ...Object.fromEntries(own), ...known }
}

/** The help texts of drivers, joined. */
function texts(parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n\n')
}

/** Possible sources of a secret. An option would appear in the shell's history and in the list of processes. */
interface SecretSource {
  fromStdin: boolean
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
}

/** The environment variable that may contain the secret instead. */
const VARIABLE = 'TILLWRIGHT_PROCESSOR_SECRET'

/**
 * A processor's secret, or `null` if none is given.
 *
 * @throws {CommandFailed} If it should be piped in and is not.
 */
export async function readSecret({ fromStdin, stdin, env }: SecretSource): Promise<string | null> {
  if (!fromStdin) return env[VARIABLE] ?? null
  if (stdin.isTTY !== true) return readAll(stdin)
  throw new CommandFailed(`--secret-from-stdin: pipe the secret in, for example from a file or a password manager.`)
}

/** One processor. */
function showProcessor(processor: ListedProcessor): string {
  const { id, accountId, name, driver, merchant, driverSettings, stopped } = processor
  return facts([
    ['id', id],
    ['account', accountId],
    ['name', name],
    ['driver', driver],
    ['takes', takes(processor)],
    ['merchant', merchant === null ? '-' : `${merchant.merchantName} (${merchant.merchantId})`],
    ...Object.entries(driverSettings).map(([setting, value]) => [setting, String(value)] as const),
    ['webhook secret', webhookSecret(processor)],
    ['state', state(processor)],
    ...(stopped === null ? [] : [['stopped', `${stopped}; it receives no payments`] as const]),
  ])
}

/** An account's processors. */
function showProcessors(processors: readonly ListedProcessor[]): string {
  if (processors.length === 0)
    return 'There are no processors; add one with "tillwright processors add". --archived true shows archived ones.\n'
  return table(
    ['id', 'name', 'driver', 'takes', 'merchant', 'webhook secret', 'state', 'created'],
    processors.map((processor) => [
      processor.id,
      processor.name,
      processor.driver,
      takes(processor),
      processor.merchant?.merchantName ?? '-',
      webhookSecret(processor),
      state(processor),
      processor.createdAt,
    ]),
  )
}

function takes({ currencies, brands }: ListedProcessor): string {
  if (currencies === null && brands === null) return 'all'
  return `${brands?.join(' ') ?? 'all cards'} in ${currencies?.join(' ') ?? 'all currencies'}`
}

/** Whether its events can be verified: without a secret each is refused. */
function webhookSecret({ driver, hasWebhookSecret }: ListedProcessor): string {
  if (hasWebhookSecret) return 'set'
  return choices.drivers.find(({ name }) => name === driver)?.eventsHelp == null ? '-' : 'missing'
}

function state({ archivedAt, stopped }: ListedProcessor): string {
  if (archivedAt !== null) return 'archived'
  return stopped === null ? 'live' : 'stopped'
}
