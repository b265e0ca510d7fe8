import { Command, InvalidArgumentError, Option } from 'commander'
import { idsFrom } from '@tillwright/contract'
import { parseDuration, parseInstant, several, wholeNumber } from '../option-values.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { errorDocument, exitCodes, failWith } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interaction.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/output.ts'
import { harmlessJson, print } from '../terminal/print.ts'
import type { ListenOptions } from './listen.ts'
import { eventLine, formatReceipt, showEvent } from './show-events.ts'

type Options = OutputOptions & TargetOptions

const listenHelp = `
Each event is sent as the platform sends webhooks, signed with a secret that is printed at the start and stays the same for
this account on this machine. Draft events are included. If the receiver or the platform is unavailable, nothing is lost:
events wait and follow in order. Events that the receiver refuses are shown and not retried; resend them with "tillwright
events replay". --json prints one document per line.`

const forwardOption = () =>
  new Option('--forward-to <url>', 'send each event to this address, signed').argParser(address)

const listen = withTarget(new Command('listen'))
  .description('Print events as they happen, and forward them to a server on this machine')
  .addOption(forwardOption())
  .addOption(
    new Option(
      '--since <when>',
      'begin with events of this time: 10m, 2h, 2030-01-31T12:00:00Z, or after an event: evt_...',
    ).argParser(beginning),
  )
  .option('--types <types>', 'only these types, separated by commas')
  .option('--json', 'print each event as a line of JSON, for programs')
  .addHelpText('after', listenHelp)
  .action(listenUntilCtrlC)

/** Ctrl-C is how it ends, so there is nothing to say then; errors are one line of JSON as well. */
async function listenUntilCtrlC(options: ListenOptions): Promise<void> {
  const { listen: printEvents } = await import('./listen.ts')
  try {
    await printEvents(options)
  } catch (error) {
    if (interruption().aborted) {
      process.exitCode = exitCodes.interrupted
      return
    }
    if (options.json === true) print(`${harmlessJson(errorDocument(error))}\n`)
    failWith(error)
  }
}

const trigger = withTarget(new Command('trigger'))
  .description('Simulate an event to test its receivers; not in production')
  .argument('<type>', 'its type, such as s_order_paid')
  .addOption(several(['--set <path=value>', "override a property of the type's example; may be repeated"]))
  .option(...jsonOption)
  .addHelpText(
    'after',
    '\nA value is parsed as JSON if possible, otherwise it is text: --set amount=4200 --set currency=USD',
  )
  .action((eventType: string, options: Options & { set?: string[] }) =>
    answer(options, async () => (await import('./event-actions.ts')).trigger(eventType, options), showEvent),
  )

const replay = withTarget(new Command('replay'))
  .description('Resend an event: to an address, or to the webhook endpoints that subscribe to it')
  .argument('<id>', 'the event: evt_...')
  .addOption(forwardOption())
  .option(...jsonOption)
  .action((id: string, options: Options & { forwardTo?: string }) =>
    answer(
      options,
      async () => (await import('./event-actions.ts')).replay(id, options),
      (replayed) =>
        'receipt' in replayed
          ? `${replayed.eventId}  ${formatReceipt(replayed.receipt)}\n`
          : replayed.endpointIds.length === 0
            ? `No endpoint subscribes to ${replayed.eventId}: nothing is sent.\n`
            : `${replayed.eventId} is resent to:\n${replayed.endpointIds.map((each) => `${each}\n`).join('')}`,
    ),
  )

const list = withTarget(new Command('list'))
  .description('List events, oldest first')
  .option(
    '--after <cursor>',
    'after this event, or after the cursor of the previous page; from the first event by default',
  )
  .addOption(new Option('--limit <number>', 'how many, 1 to 100; 20 by default').argParser(wholeNumber))
  .option('--types <types>', 'only these types, separated by commas')
  .option('--drafts', 'include draft events: those of previews and simulated ones')
  .option(...jsonOption)
  .action((options: Options & { after?: string; limit?: number; types?: string; drafts?: true }) =>
    answer(
      options,
      async () => (await import('./event-actions.ts')).list(options),
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
    answer(options, async () => (await import('./event-actions.ts')).show(id, options), showEvent),
  )

/** `tillwright events`. */
export const eventsCommand = new Command('events')
  .addCommand(listen)
  .addCommand(trigger)
  .addCommand(replay)
  .addCommand(list)
  .addCommand(show)

/** Where in the log to begin, as the log's `after`. */
function beginning(text: string): string {
  if (/^evt_[0-9A-Za-z]{22}$/.test(text)) return text
  const ago = parseDuration(text)
  const atMs = ago === null ? parseInstant(text) : Date.now() - ago
  if (atMs !== null) return idsFrom('evt', atMs)
  throw new InvalidArgumentError(
    'It must be how long ago, like 10m or 2h; a time with its offset, like 2030-01-31T12:00:00Z; or an event, evt_...',
  )
}

/** An address on this machine may do without its scheme, as developers write it: `localhost:3000/webhooks`. */
function address(text: string): string {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?![^:/])/.test(text)
  const url = URL.parse(isLocal ? `http://${text}` : text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new InvalidArgumentError('It must be an address, such as http://localhost:3000/webhooks.')
}
