import { choices, type ListedAccount } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { wholeNumber } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'

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

interface UpdateOptions extends OutputOptions, RateOptions {
  name?: string
  plan?: Plan
  planRate?: true
  threedsProvider?: ListedAccount['threedsProvider']
}

const name = '--name <name>'
const planOption = () => new Option('--plan <plan>', 'whose rate limit binds').choices(choices.plans)
const rateOption = () =>
  new Option('--rate-per-minute <n>', "requests a minute, instead of the plan's").argParser(wholeNumber)
const burstOption = () =>
  new Option('--burst <n>', 'requests at once; goes with --rate-per-minute').argParser(wholeNumber)

const create = new Command('create')
  .description('Make an account; the first one sets up an empty database')
  .requiredOption(name, 'what the account is called')
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
  .description('List the accounts, the oldest first')
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((options: OutputOptions) => operate(options, ({ accounts }) => accounts.list(), { show: showAll }))

const update = new Command('update')
  .description('Change an account; a platform that runs acts on it within a second')
  .argument('<id>', 'the account')
  .option(name, 'what the account is called')
  .addOption(planOption())
  .addOption(rateOption())
  .addOption(burstOption())
  .addOption(
    new Option('--threeds-provider <name>', "who authenticates the buyers of the account's payments").choices(
      choices.threedsProviders,
    ),
  )
  .addOption(new Option('--plan-rate', "back to the plan's rate limit").conflicts(['ratePerMinute', 'burst']))
  .option(...jsonOption)
  .addHelpText('after', settingsHelp)
  .action((id: string, options: UpdateOptions) =>
    operate(options, ({ accounts }) => accounts.update(id, changeOf(options)), { show }),
  )

/** `tillwright accounts`: who uses the platform. */
export const accountsCommand = new Command('accounts').addCommand(create).addCommand(list).addCommand(update)

function rateLimitOf({ ratePerMinute, burst }: RateOptions): { rateLimit?: RateLimit } {
  if (ratePerMinute === undefined && burst === undefined) return {}
  if (ratePerMinute !== undefined && burst !== undefined) return { rateLimit: { perMinute: ratePerMinute, burst } }
  throw new CommandFailed('--rate-per-minute and --burst go together: name both.')
}

function changeOf(options: UpdateOptions) {
  const change = {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.plan !== undefined && { plan: options.plan }),
    ...(options.threedsProvider !== undefined && { threedsProvider: options.threedsProvider }),
    ...(options.planRate === true ? { rateLimit: null } : rateLimitOf(options)),
  }
  if (Object.keys(change).length > 0) return change
  throw new CommandFailed(
    'Say what to change: --name, --plan, --threeds-provider, --rate-per-minute with --burst, or --plan-rate.',
  )
}

function show(account: ListedAccount): string {
  return facts([
    ['account', account.id],
    ['name', account.name],
    ['plan', account.plan],
    ['rate limit', rate(account)],
    ['3-D Secure', account.threedsProvider],
  ])
}

function showAll(accounts: readonly ListedAccount[]): string {
  if (accounts.length === 0) return 'There are no accounts yet; make one with "tillwright accounts create".\n'
  return table(
    ['id', 'name', 'plan', 'rate limit', 'created'],
    accounts.map((account) => [account.id, account.name, account.plan, rate(account), account.createdAt]),
  )
}

function rate({ rateLimit, ownRateLimit }: ListedAccount): string {
  return `${rateLimit.perMinute}/min, ${rateLimit.burst} at once${ownRateLimit ? ' (its own)' : ''}`
}
