import { choices, type Delivery, type DeliveryPage, type Operator, type ReplayedEvent } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { instant, wholeNumber } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { jsonOption, type OutputOptions, table } from '../terminal/output.ts'

interface DeliveriesOptions extends OutputOptions {
  account?: string
  endpoint?: string
  state?: (typeof choices.deliveryStates)[number]
  limit?: number
  after?: string
}

const deliveriesHelp = `
Those that failed got no 2xx answer in any of ten tries, or 410, or their endpoint was disabled or removed meanwhile. Send
them again with "tillwright webhooks replay". --json shows every try and the beginning of the last answer.`

/** `tillwright webhooks deliveries`: what became of webhooks. */
export const deliveriesCommand = new Command('deliveries')
  .description('List deliveries of events to endpoints, those of the newest events first')
  .option('--account <id>', 'whose; may be left out where there is one account, or where the endpoint tells')
  .option('--endpoint <id>', 'to this endpoint alone: whe_...')
  .addOption(new Option('--state <state>', 'those alone that are at this').choices(choices.deliveryStates))
  .addOption(new Option('--limit <number>', 'how many, 1 to 100; 20 unless given').argParser(wholeNumber))
  .option('--after <cursor>', 'the next page, by the cursor that the page before ends with')
  .option(...jsonOption)
  .addHelpText('after', `${deliveriesHelp}\n${settingsHelp}`)
  .action(({ json, ...wanted }: DeliveriesOptions) =>
    operate(json === true ? { json } : {}, ({ deliveries }) => deliveries.list(wanted), { show: showDeliveries }),
  )

type Deliveries = Operator['deliveries']
type Range = Parameters<Deliveries['replayRange']>[0]

interface ReplayOptions extends OutputOptions {
  account?: string
  endpoint?: string
  /** Unix time in milliseconds. */
  from?: number
  /** Unix time in milliseconds. */
  to?: number
  failed?: true
  after?: string
}

/** How far a replay of a time has come: `after` is its last event, `null` where there was none. */
interface Replayed {
  replayed: number
  after: string | null
}

const replayHelp = `
One event: "replay evt_..." sends it to every endpoint that wants it, or with --endpoint to that one alone. The events of a
time: "replay --from 2030-01-31T12:00:00Z --to 2030-02-01 --endpoint whe_..." sends those that the endpoint wants, with
--failed those alone that failed there. It reports on the standard error how far it has come; if it is interrupted, the
same command with --after and the last cursor goes on.

Receivers see the webhook-id of the first time. A platform that runs begins within a second.`

/** `tillwright webhooks replay`: webhooks that are sent again. */
export const replayCommand = new Command('replay')
  .description('Send an event again, or the events of a time to an endpoint')
  .argument('[event]', 'the event: evt_...')
  .option('--account <id>', 'of an event: whose; may be left out where there is one account, or with --endpoint')
  .option('--endpoint <id>', 'to this endpoint alone: whe_...')
  .addOption(new Option('--from <time>', 'of a time: when it begins, such as 2030-01-31T12:00:00Z').argParser(instant))
  .addOption(
    new Option('--to <time>', 'of a time: when it is over; an event of this very moment is not sent').argParser(
      instant,
    ),
  )
  .option('--failed', 'of a time: those alone that failed')
  .option('--after <cursor>', 'of a time: go on where an interrupted replay was')
  .option(...jsonOption)
  .addHelpText('after', `${replayHelp}\n${settingsHelp}`)
  .action((event: string | undefined, options: ReplayOptions) =>
    event === undefined
      ? operate(options, ({ deliveries }) => replayTime(deliveries, options), { show: showReplayed })
      : operate(options, ({ deliveries }) => replayOne(deliveries, event, options), { show: showOne }),
  )

function replayOne(deliveries: Deliveries, event: string, options: ReplayOptions): Promise<ReplayedEvent> {
  const { account, endpoint, from, to, failed, after } = options
  if (from !== undefined || to !== undefined || failed !== undefined || after !== undefined) {
    throw new CommandFailed(
      '--from, --to, --failed and --after belong to a time: leave them out, or leave out the event.',
    )
  }
  const whose = { ...(account !== undefined && { account }), ...(endpoint !== undefined && { endpoint }) }
  return deliveries.replay({ ...whose, event })
}

async function replayTime(deliveries: Deliveries, options: ReplayOptions): Promise<Replayed> {
  let done: Replayed = { replayed: 0, after: null }
  for await (const { replayed, after } of deliveries.replayRange(rangeOf(options))) {
    done = { replayed: done.replayed + replayed, after }
    process.stderr.write(`${done.replayed} sent again; if this is interrupted, go on with --after ${after}\n`)
  }
  return done
}

function rangeOf({ account, endpoint, from, to, failed, after }: ReplayOptions): Range {
  if (account !== undefined) throw new CommandFailed('--account: the endpoint tells the account; leave it out.')
  if (from === undefined) throw new CommandFailed('--from: say when the time begins, or name one event, evt_...')
  if (to === undefined) throw new CommandFailed('--to: say when the time is over.')
  if (endpoint === undefined) throw new CommandFailed('--endpoint: say which endpoint the events are sent to, whe_...')
  const which = failed === true ? 'failed' : 'all'
  return { endpoint, fromMs: from, toMs: to, which, ...(after !== undefined && { after }) }
}

function showOne({ eventId, endpointIds }: ReplayedEvent): string {
  if (endpointIds.length === 0) return `No endpoint wants ${eventId}: nothing is sent.\n`
  return `${eventId} is sent again to:\n${endpointIds.map((id) => `${id}\n`).join('')}`
}

function showReplayed({ replayed }: Replayed): string {
  return `${replayed} sent again.\n`
}

/** A page of deliveries, and how to get the next. */
function showDeliveries({ data, nextCursor }: DeliveryPage): string {
  if (data.length === 0) return 'There are no such deliveries.\n'
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
