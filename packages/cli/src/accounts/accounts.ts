import { choices, type ListedAccount, type Operator, type PluginUse } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { manage, operate, settingsHelp, type WayOptions, withEitherWay } from '../operate.ts'
import { wholeNumber } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { facts, jsonOption, type OutputOptions, showBytes, table } from '../terminal/output.ts'

type Plan = ListedAccount['plan']
type RateLimit = ListedAccount['rateLimit']

interface RateOptions {
  ratePerMinute?: number
  burst?: number
}

interface CreateOptions extends OutputOptions, RateOptions {
  name: string
  plan: Plan
}

interface UpdateOptions extends OutputOptions, RateOptions, WayOptions {
  name?: string
  plan?: Plan
  planRate?: true
  pages?: 'on' | 'off'
  threedsProvider?: ListedAccount['threedsProvider']
}

const name = '--name <name>'
const planOption = () => new Option('--plan <plan>', 'whose limits apply').choices(choices.plans)
const rateOption = () =>
  new Option('--rate-per-minute <n>', "requests per minute, instead of the plan's limit").argParser(wholeNumber)
const burstOption = () =>
  new Option('--burst <n>', 'burst size in requests; requires --rate-per-minute').argParser(wholeNumber)

const create = new Command('create')
  .description('Create an account; the first one initializes an empty database')
  .requiredOption(name, "the account's name")
  .addOption(planOption().default('standard'))
  .addOption(rateOption())
  .addOption(burstOption())
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: CreateOptions) =>
    operate(options, ({ accounts }) => accounts.create({ ...options, ...rateLimitOf(options) }), {
      show,
      open: 'setUpOperator',
    }),
  )

const list = new Command('list')
  .description('List accounts, oldest first')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: OutputOptions) => operate(options, ({ accounts }) => accounts.list(), { show: showAll }))

const get = withEitherWay(new Command('get'))
  .description('Show an account')
  .argument('[id]', 'the account; optional if there is only one, or with the key of one')
  .option(...jsonOption)
  .action((id: string | undefined, options: OutputOptions & WayOptions) =>
    manage({ ...options, ...(id !== undefined && { account: id }) }, ({ account }) => account.get(), showWithUse),
  )

const update = withEitherWay(new Command('update'))
  .description('Update an account; a running platform applies the change within a second')
  .argument('<id>', 'the account')
  .option(name, "the account's name")
  .addOption(planOption())
  .addOption(rateOption())
  .addOption(burstOption())
  .addOption(
    new Option('--threeds-provider <name>', "the 3-D Secure provider for the account's payments").choices(
      choices.threedsProviders,
    ),
  )
  .addOption(
    new Option(
      '--pages <state>',
      "whether the pages of the account's plugins are shown: off takes all of them down",
    ).choices(['on', 'off']),
  )
  .addOption(new Option('--plan-rate', "return to the plan's rate limit").conflicts(['ratePerMinute', 'burst']))
  .option(...jsonOption)
  .addHelpText('after', '\nPlans, rate limits and --pages are set on the database alone: no key may change them.')
  .action(updateAccount)

async function updateAccount(id: string, options: UpdateOptions): Promise<void> {
  const { name: wantedName, plan, threedsProvider, ratePerMinute, burst, planRate, pages, target, url } = options
  const isOperators = [plan, ratePerMinute, burst, planRate, pages].some((each) => each !== undefined)
  if (!isOperators && (wantedName !== undefined || threedsProvider !== undefined)) {
    const change = {
      ...(wantedName !== undefined && { name: wantedName }),
      ...(threedsProvider !== undefined && { threedsProvider }),
    }
    return manage({ ...options, account: id }, ({ account }) => account.update(change), show)
  }
  const work = async ({ accounts }: Operator) => {
    if (target === undefined && url === undefined) return accounts.update(id, changeOf(options))
    throw new CommandFailed(
      'Plans, rate limits and --pages are set on the database: leave out --target and --url, and run it with the settings of the platform.',
      'usage',
    )
  }
  return operate(options, work, { show })
}

const ofHost = new Command('of-host')
  .description('Show the account whose plugin is on a host: a deployment, an alias or a domain')
  .argument('<hostname>', 'the host, such as pay.shop.example')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((hostname: string, options: OutputOptions) =>
    operate(options, ({ accounts }) => accounts.ofHost(hostname), { show }),
  )

/** `tillwright accounts`: manages the platform's accounts. */
export const accountsCommand = new Command('accounts')
  .addCommand(create)
  .addCommand(list)
  .addCommand(get)
  .addCommand(ofHost)
  .addCommand(update)

function rateLimitOf({ ratePerMinute, burst }: RateOptions): { rateLimit?: RateLimit } {
  if (ratePerMinute === undefined && burst === undefined) return {}
  if (ratePerMinute !== undefined && burst !== undefined) return { rateLimit: { perMinute: ratePerMinute, burst } }
  throw new CommandFailed('--rate-per-minute and --burst go together: pass both.')
}

function changeOf(options: UpdateOptions) {
  const change = {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.plan !== undefined && { plan: options.plan }),
    ...(options.threedsProvider !== undefined && { threedsProvider: options.threedsProvider }),
    ...(options.pages !== undefined && { pages: options.pages }),
    ...(options.planRate === true ? { rateLimit: null } : rateLimitOf(options)),
  }
  if (Object.keys(change).length > 0) return change
  throw new CommandFailed(
    'Nothing to update: pass --name, --plan, --threeds-provider, --rate-per-minute with --burst, --plan-rate, or --pages.',
  )
}

function showWithUse(account: ListedAccount & PluginUse): string {
  const { deployments, pluginFiles, pluginBytes } = account
  return facts([
    ...factsOf(account),
    ['deployments', `${deployments.used} of ${deployments.max}`],
    [
      'plugin files',
      `${pluginFiles.used} of ${pluginFiles.max}, ${showBytes(pluginBytes.used)} of ${showBytes(pluginBytes.max)}`,
    ],
  ])
}

function show(account: ListedAccount): string {
  return facts(factsOf(account))
}

function factsOf(account: ListedAccount): [string, string][] {
  return [
    ['account', account.id],
    ['name', account.name],
    ['plan', account.plan],
    ['rate limit', rate(account)],
    ['3-D Secure', account.threedsProvider],
    ['pages', account.pagesOffSince === null ? 'shown' : `taken down ${account.pagesOffSince}`],
  ]
}

function showAll(accounts: readonly ListedAccount[]): string {
  if (accounts.length === 0) return 'There are no accounts yet; create one with "tillwright accounts create".\n'
  return table(
    ['id', 'name', 'plan', 'rate limit', 'created'],
    accounts.map((account) => [account.id, account.name, account.plan, rate(account), account.createdAt]),
  )
}

function rate({ rateLimit, ownRateLimit }: ListedAccount): string {
  return `${rateLimit.perMinute}/min, burst ${rateLimit.burst}${ownRateLimit ? ' (custom)' : ''}`
}
