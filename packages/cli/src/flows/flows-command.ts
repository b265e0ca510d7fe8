import type { ReplayedPayments } from '@tillwright/platform'
import { Command, Option } from 'commander'
import { operate, settingsHelp } from '../operate.ts'
import { instant, wholeNumber } from '../option-values.ts'
import { jsonOption, type OutputOptions, table } from '../terminal/output.ts'

interface ReplayOptions extends OutputOptions {
  account?: string
  flow: string
  payments?: number
  /** Unix time in milliseconds. */
  since?: number
}

const replayHelp = `
It repeats the first choice of each payment with its own draw, currency, network and customer, and touches no processor.
Processors that were failing at the time are not left out; what the processors take is what they take now.`

const replay = new Command('replay')
  .description('Run payments of the past through a flow, and count where they would have gone')
  .requiredOption('--flow <id>', 'the flow: flow_...')
  .addOption(
    new Option('--payments <number>', 'the newest so many, 1 to 100,000; 1,000 unless a time is given').argParser(
      wholeNumber,
    ),
  )
  .addOption(new Option('--since <time>', 'those since then, such as 2030-01-31T12:00:00Z').argParser(instant))
  .option('--account <id>', 'whose; may be left out where there is one account')
  .option(...jsonOption)
  .addHelpText('after', `${replayHelp}\n${settingsHelp}`)
  .action(({ json, since, ...wanted }: ReplayOptions) =>
    operate(
      json === true ? { json } : {},
      ({ flows }) => flows.replay({ ...wanted, ...(since !== undefined && { sinceMs: since }) }),
      { show: showReplay },
    ),
  )

function showReplay({ flow, payments, unchanged, refused, processors, names }: ReplayedPayments): string {
  if (payments === 0) return 'There are no such payments.\n'
  const rows = processors.map(({ processorId, before, after }) => [
    names[processorId] ?? processorId,
    processorId,
    String(before),
    `${after} (${((100 * after) / payments).toFixed(1)} %)`,
  ])
  const count = `${payments} payments through ${flow.name} (${flow.id}):\n`
  const rest = `${unchanged} stay where they were, ${payments - unchanged - refused} go elsewhere, ${refused} find no processor.\n`
  return `${count}\n${table(['processor', 'id', 'before', 'by this flow'], rows)}\n${rest}`
}

/** `tillwright flows`: what payment flows do, and would do. */
export const flowsCommand = new Command('flows').addCommand(replay)
