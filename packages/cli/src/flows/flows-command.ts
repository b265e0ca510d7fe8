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
Repeats the choices of each payment with their original random draws, currency, network and customer, and the processors
that were failing then. No processor is contacted. The current currencies and networks of processors apply.`

const replay = new Command('replay')
  .description('Run past payments through a flow, and count where they would have gone')
  .requiredOption('--flow <id>', 'the flow: flow_...')
  .addOption(
    new Option(
      '--payments <number>',
      'the number of payments, newest first, 1 to 100,000; 1,000 by default unless --since is given',
    ).argParser(wholeNumber),
  )
  .addOption(
    new Option('--since <time>', 'only payments since this time, such as 2030-01-31T12:00:00Z').argParser(instant),
  )
  .option('--account <id>', 'the account; optional if there is only one')
  .option(...jsonOption)
  .addHelpText('after', `${replayHelp}\n${settingsHelp}`)
  .action(({ json, since, ...wanted }: ReplayOptions) =>
    operate(
      json === true ? { json } : {},
      ({ flows }) => flows.replay({ ...wanted, ...(since !== undefined && { sinceMs: since }) }),
      { show: showReplay },
    ),
  )

function showReplay({ flow, payments, moved, refused, processors, names }: ReplayedPayments): string {
  if (payments === 0) return 'There are no such payments.\n'
  const rows = processors.map(({ processorId, before, after }) => [
    names[processorId] ?? processorId,
    processorId,
    String(before),
    `${after} (${((100 * after) / payments).toFixed(1)} %)`,
  ])
  const count = `${payments} payments through ${flow.name} (${flow.id}):\n`
  const rest = `${payments - moved} go the same way, ${moved - refused} go elsewhere, ${refused} find no processor.\n`
  return `${count}\n${table(['processor', 'id', 'before', 'by this flow'], rows)}\n${rest}`
}

/** `tillwright flows`: tries payment flows on past payments. */
export const flowsCommand = new Command('flows').addCommand(replay)
