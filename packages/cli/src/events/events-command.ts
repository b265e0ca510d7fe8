import { Command, InvalidArgumentError, Option } from 'commander'
import { several, wholeNumber } from '../option-values.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/output.ts'
import type { ListenOptions } from './listen.ts'
import { eventLine, said, showEvent } from './show-events.ts'

type Options = OutputOptions & TargetOptions

const listenHelp = `
Each event is sent to the address as the platform sends webhooks, signed with a secret that is printed when it begins and
stays the same for this account on this machine. Events of previews and triggered ones are among them. While the receiver or the
platform is away nothing is lost: events wait, and follow in their order. What a receiver refuses is shown and not sent
again; "tillwright events replay" does that. --json prints a document a line.`

const forwardOption = () => new Option('--forward-to <url>', 'send each event there, signed').argParser(address)

const listen = withTarget(new Command('listen'))
  .description('Print events as they happen, and forward them to a server on this machine')
  .addOption(forwardOption())
  .option('--types <types>', 'of these types alone, separated by commas')
  .option('--json', 'print each event as a line of JSON, for programs')
  .addHelpText('after', listenHelp)
  .action((options: ListenOptions) =>
    answer(options, async () => (await import('./listen.ts')).listen(options), String),
  )

const trigger = withTarget(new Command('trigger'))
  .description('Have an event happen, to try out its receivers; not in production')
  .argument('<type>', 'its type, such as s_order_paid')
  .addOption(
    several(['--set <path=value>', 'what it tells, where the example of its type does not fit; may be repeated']),
  )
  .option(...jsonOption)
  .addHelpText(
    'after',
    '\nA value is JSON where it can be read as JSON, otherwise text: --set amount=4200 --set currency=USD',
  )
  .action((eventType: string, options: Options & { set?: string[] }) =>
    answer(options, async () => (await import('./work-on-events.ts')).trigger(eventType, options), showEvent),
  )

const replay = withTarget(new Command('replay'))
  .description('Send an event of the past again: to an address, or to the webhook endpoints that want it')
  .argument('<id>', 'the event: evt_...')
  .addOption(forwardOption())
  .option(...jsonOption)
  .action((id: string, options: Options & { forwardTo?: string }) =>
    answer(
      options,
      async () => (await import('./work-on-events.ts')).replay(id, options),
      (replayed) =>
        'receipt' in replayed
          ? `${replayed.eventId}  ${said(replayed.receipt)}\n`
          : replayed.endpointIds.length === 0
            ? `No endpoint wants ${replayed.eventId}: nothing is sent.\n`
            : `${replayed.eventId} is sent again to:\n${replayed.endpointIds.map((each) => `${each}\n`).join('')}`,
    ),
  )

const list = withTarget(new Command('list'))
  .description('List events, the oldest first')
  .option('--after <cursor>', 'behind this event, or where the page before ended; the first ones unless given')
  .addOption(new Option('--limit <number>', 'how many, 1 to 100; 20 unless given').argParser(wholeNumber))
  .option('--types <types>', 'of these types alone, separated by commas')
  .option('--drafts', "previews' and triggered events too")
  .option(...jsonOption)
  .action((options: Options & { after?: string; limit?: number; types?: string; drafts?: true }) =>
    answer(
      options,
      async () => (await import('./work-on-events.ts')).list(options),
      ({ data, hasMore, nextCursor }) => {
        const lines = data.map((event) => eventLine({ event, receipt: null })).join('')
        if (hasMore) return `${lines}There are more: --after ${nextCursor}\n`
        return lines === '' ? 'No events.\n' : lines
      },
    ),
  )

const show = withTarget(new Command('show'))
  .description('Show an event')
  .argument('<id>', 'the event: evt_...')
  .option(...jsonOption)
  .action((id: string, options: Options) =>
    answer(options, async () => (await import('./work-on-events.ts')).show(id, options), showEvent),
  )

/** `tillwright events`. */
export const eventsCommand = new Command('events')
  .addCommand(listen)
  .addCommand(trigger)
  .addCommand(replay)
  .addCommand(list)
  .addCommand(show)

function address(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new InvalidArgumentError('It must be an address, such as http://localhost:3000/webhooks.')
}
