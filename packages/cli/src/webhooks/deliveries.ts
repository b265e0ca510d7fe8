import { choices, type Delivery, type DeliveryPage, type Operator, type ReplayedEvent } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { manage, type WayOptions, withEitherWay } from '../operate.ts'
import { instant, wholeNumber } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { printNotice } from '../terminal/print.ts'

interface DeliveriesOptions extends OutputOptions, WayOptions {
  account?: string
  endpoint?: string
  state?: (typeof choices.deliveryStates)[number]
  limit?: number
  after?: string
}

const deliveriesHelp = `
A delivery has failed if none of ten attempts got a 2xx response, if it got a 410, or if its endpoint was disabled or removed
meanwhile. Resend it with "tillwright webhooks replay". --json shows every attempt and the start of the last response.`

/** `tillwright webhooks deliveries`: lists webhook deliveries. */
export const deliveriesCommand = withEitherWay(new Command('deliveries'))
  .description('List deliveries of events to endpoints, newest events first')
  .option('--account <id>', 'the account; optional if there is only one, or with --endpoint')
  .option('--endpoint <id>', 'only to this endpoint: whe_...')
  .addOption(new Option('--state <state>', 'only deliveries in this state').choices(choices.deliveryStates))
  .addOption(new Option('--limit <number>', 'how many, 1 to 100; 20 by default').argParser(wholeNumber))
  .option('--after <cursor>', 'the next page, by the cursor at the end of the previous one')
  .option(...jsonOption)
  .addHelpText('after', deliveriesHelp)
  .action((options: DeliveriesOptions) =>
    manage(options, ({ deliveries }) => deliveries.list(wantedOf(options)), showDeliveries),
  )

function wantedOf({ account, endpoint, state, limit, after }: DeliveriesOptions) {
  return {
    ...(account !== undefined && { account }),
    ...(endpoint !== undefined && { endpoint }),
    ...(state !== undefined && { state }),
    ...(limit !== undefined && { limit }),
    ...(after !== undefined && { after }),
  }
}

type Deliveries = Operator['deliveries']
type Range = Parameters<Deliveries['replayRange']>[0]

interface ReplayOptions extends OutputOptions, WayOptions {
  account?: string
  endpoint?: string
  /** Unix time in milliseconds. */
  from?: number
  /** Unix time in milliseconds. */
  to?: number
  failed?: true
  after?: string
}

/** The progress of a replay: `after` is its last event, `null` if there was none. */
interface Replayed {
  replayed: number
  after: string | null
}

const replayHelp = `
One event: "replay evt_..." sends it to every endpoint that subscribes to it, or only to the one in --endpoint. Events of a
period: "replay --from 2030-01-31T12:00:00Z --to 2030-02-01 --endpoint whe_..." sends those that the endpoint subscribes
to, or with --failed only those that failed there. It reports its progress on the standard error; if it is interrupted,
run the same command with --after and the last cursor.

Receivers see the original webhook-id. A running platform starts within a second.`

/** `tillwright webhooks replay`: resends webhooks. */
export const replayCommand = withEitherWay(new Command('replay'))
  .description("Resend an event, or an endpoint's events of a period")
  .argument('[event]', 'the event: evt_...')
  .option('--account <id>', 'for an event: its account; optional if there is only one, or with --endpoint')
  .option('--endpoint <id>', 'only to this endpoint: whe_...')
  .addOption(new Option('--from <time>', 'for a period: its start, such as 2030-01-31T12:00:00Z').argParser(instant))
  .addOption(new Option('--to <time>', 'for a period: its end, exclusive').argParser(instant))
  .option('--failed', 'for a period: only failed deliveries')
  .option('--after <cursor>', 'for a period: continue an interrupted replay')
  .option(...jsonOption)
  .addHelpText('after', replayHelp)
  .action((event: string | undefined, options: ReplayOptions) =>
    event === undefined
      ? manage(options, ({ deliveries }) => replayTime(deliveries, options), showReplayed)
      : manage(options, ({ deliveries }) => replayOne(deliveries, event, options), showOne),
  )

function replayOne(deliveries: Deliveries, event: string, options: ReplayOptions): Promise<ReplayedEvent> {
  const { account, endpoint, from, to, failed, after } = options
  if (from !== undefined || to !== undefined || failed !== undefined || after !== undefined) {
    throw new CommandFailed(
      '--from, --to, --failed and --after belong to a period: leave them out, or leave out the event.',
    )
  }
  const whose = { ...(account !== undefined && { account }), ...(endpoint !== undefined && { endpoint }) }
  return deliveries.replay({ ...whose, event })
}

async function replayTime(deliveries: Deliveries, options: ReplayOptions): Promise<Replayed> {
  let done: Replayed = { replayed: 0, after: null }
  for await (const { replayed, after } of deliveries.replayRange(rangeOf(options))) {
    done = { replayed: done.replayed + replayed, after }
    printNotice(`${done.replayed} resent; if this is interrupted, continue with --after ${after}\n`)
  }
  return done
}

function rangeOf({ account, endpoint, from, to, failed, after }: ReplayOptions): Range {
  if (account !== undefined) throw new CommandFailed('--account: the endpoint determines the account; leave it out.')
  if (from === undefined) throw new CommandFailed('--from: pass the start of the period, or one event, evt_...')
  if (to === undefined) throw new CommandFailed('--to: pass the end of the period.')
  if (endpoint === undefined) throw new CommandFailed('--endpoint: pass the endpoint to send the events to, whe_...')
  const which = failed === true ? 'failed' : 'all'
  return { endpoint, fromMs: from, toMs: to, which, ...(after !== undefined && { after }) }
}

function showOne({ eventId, endpointIds }: ReplayedEvent): string {
  if (endpointIds.length === 0) return `No endpoint subscribes to ${eventId}: nothing is sent.\n`
  return `${eventId} is resent to:\n${endpointIds.map((id) => `${id}\n`).join('')}`
}

function showReplayed({ replayed }: Replayed): string {
  return `${replayed} resent.\n`
}

/** A page of deliveries, and how to get the next one. */
function showDeliveries({ data, nextCursor }: DeliveryPage): string {
  if (data.length === 0) {
    return nextCursor === null
      ? 'There are no such deliveries.\n'
      : `There are none among the newest; look further with --after ${nextCursor}\n`
  }
  const rows = data.map((delivery) => [
    delivery.eventId,
    delivery.eventType,
    delivery.endpointId,
    delivery.state,
    String(delivery.attempts),
    lastAnswer(delivery),
    delivery.nextAttemptAt ?? '-',
  ])
  const page = table(['event', 'type', 'endpoint', 'state', 'attempts', 'last status', 'next attempt'], rows)
  return nextCursor === null ? page : `${page}\nThere are more: add --after ${nextCursor}\n`
}

function lastAnswer({ lastStatus, attempts }: Delivery): string {
  if (lastStatus !== null) return String(lastStatus)
  return attempts === 0 ? '-' : 'no answer'
}
