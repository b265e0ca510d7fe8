import { contract, SECRET_OVERLAP_DEFAULT_H } from '@tillwright/contract'
import { choices, type ListedEndpoint } from '@tillwright/platform'
import { Command } from 'commander'
import pc from 'picocolors'
import { csvFromPlatform, manage, printCsv, type WayOptions, withEitherWay } from '../operate.ts'
import { overlapOption, severalOf } from '../option-values.ts'
import { filtersOf, shownBy, withFilters } from '../resources/list-filters.ts'
import { operationCommand } from '../resources/resource-command.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { deliveriesCommand, replayCommand } from './deliveries.ts'

interface AddOptions extends OutputOptions, WayOptions {
  account?: string
  store?: string
  event?: (typeof choices.events)[number][]
  drafts?: true
}

const accountOption = ['--account <id>', "the endpoint's account; optional if there is only one"] as const

const add = withEitherWay(new Command('add').alias('create'))
  .description('Send events to an address; prints the signing secret once')
  .argument('<url>', 'the https: address of the receiver')
  .option(...accountOption)
  .option('--store <id>', 'the store whose events are sent; by default those of all stores and of the account itself')
  .addOption(
    severalOf(
      ['--event <type>', 'an event type, such as s_order_paid, may be repeated; all by default'],
      choices.events,
    ),
  )
  .option('--drafts', 'include events of previews')
  .option(...jsonOption)
  .action((url: string, options: AddOptions) =>
    manage(
      options,
      ({ webhooks }) =>
        webhooks.add({
          url,
          eventTypes: options.event ?? '*',
          drafts: options.drafts === true,
          ...(options.account !== undefined && { account: options.account }),
          ...(options.store !== undefined && { store: options.store }),
        }),
      showSecret,
    ),
  )

const list = withFilters(contract.webhookEndpoints.list, withEitherWay(new Command('list')))
  .description("List an account's endpoints, oldest first")
  .option(...accountOption)
  .option(...jsonOption)
  .addOption(csvFromPlatform())
  .action((options: OutputOptions & WayOptions & { csv?: true }) => {
    const filters = filtersOf(contract.webhookEndpoints.list, options)
    return options.csv === true
      ? printCsv(contract.webhookEndpoints.list, options, filters)
      : manage(options, ({ webhooks }) => webhooks.list(options.account, filters), shownBy(filters, showEndpoints))
  })

const get = withEitherWay(new Command('get'))
  .description('Show an endpoint, without its secret')
  .argument('<id>', 'the endpoint: whe_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) =>
    manage(options, ({ webhooks }) => webhooks.get(id), showEndpoint),
  )

const enable = withEitherWay(new Command('enable'))
  .description('Resume deliveries to a disabled endpoint and reset its failures')
  .argument('<id>', 'the endpoint: whe_...')
  .option(...jsonOption)
  .addHelpText('after', `\nFailed deliveries stay failed; resend them with "tillwright webhooks replay".`)
  .action((id: string, options: OutputOptions & WayOptions) =>
    manage(options, ({ webhooks }) => webhooks.enable(id), showEndpoint),
  )

const rotate = withEitherWay(new Command('rotate'))
  .description('Give an endpoint a new secret and print it once; the old one also signs for a day')
  .argument('<id>', 'the endpoint: whe_...')
  .addOption(overlapOption('how long the old secret also signs; 0 after a leak'))
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions & { overlap?: number }) =>
    manage(
      options,
      ({ webhooks }) => webhooks.rotate(id, options.overlap),
      (rotated) => `${showSecret(rotated)}\n${showFormer(options.overlap)}\n`,
    ),
  )

function showFormer(overlapHours = SECRET_OVERLAP_DEFAULT_H): string {
  return overlapHours === 0
    ? 'The former secret signs no more.'
    : `The former secret signs as well for ${overlapHours} hours.`
}

const remove = withEitherWay(new Command('remove'))
  .description('Remove an endpoint; pending deliveries to it are dropped')
  .argument('<id>', 'the endpoint: whe_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) =>
    manage(
      options,
      ({ webhooks }) => webhooks.remove(id),
      (endpoint) => `Removed:\n${showEndpoint(endpoint)}`,
    ),
  )

/** `tillwright webhooks`: manages webhook endpoints. */
export const webhooksCommand = new Command('webhooks')
  .addCommand(add)
  .addCommand(list)
  .addCommand(get)
  .addCommand(operationCommand('webhookEndpoints', 'update'))
  .addCommand(enable)
  .addCommand(rotate)
  .addCommand(remove)
  .addCommand(deliveriesCommand)
  .addCommand(replayCommand)

/** An endpoint with its new secret, which is not shown again. */
function showSecret({ secret, ...endpoint }: ListedEndpoint & { secret: string }): string {
  const advice = 'This is shown once. Give it to the receiver, which verifies every webhook with it.'
  return `${pc.bold(secret)}\n\n${advice}\n\n${showEndpoint(endpoint)}`
}

/** One endpoint. */
function showEndpoint(endpoint: ListedEndpoint): string {
  return facts([
    ['id', endpoint.id],
    ['account', endpoint.accountId],
    ['url', endpoint.url],
    ['store', store(endpoint)],
    ['events', events(endpoint)],
    ['state', state(endpoint)],
  ])
}

/** An account's endpoints. */
function showEndpoints(endpoints: readonly ListedEndpoint[]): string {
  if (endpoints.length === 0) return 'There are no endpoints yet; add one with "tillwright webhooks add URL".\n'
  return table(
    ['id', 'url', 'store', 'events', 'state', 'created'],
    endpoints.map((endpoint) => [
      endpoint.id,
      endpoint.url,
      store(endpoint),
      events(endpoint),
      state(endpoint),
      endpoint.createdAt,
    ]),
  )
}

function store({ storeId }: ListedEndpoint): string {
  return storeId ?? 'all'
}

function events({ eventTypes, drafts }: ListedEndpoint): string {
  return `${eventTypes === '*' ? 'all' : eventTypes.join(' ')}${drafts ? ', drafts too' : ''}`
}

function state({ enabled, failingSince }: ListedEndpoint): string {
  if (!enabled) return 'disabled'
  return failingSince === null ? 'good' : `failing since ${failingSince}`
}
