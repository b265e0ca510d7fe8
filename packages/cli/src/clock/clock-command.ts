import { advanceLocalTime, localTime, type LocalTime, readConfig } from '@tillwright/platform'
import { Command, InvalidArgumentError } from 'commander'
import { parseDuration } from '../option-values.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/output.ts'

const help = `
Everything that follows the local platform's clock happens when it is due: subscriptions renew, webhooks are retried,
tokens and sessions expire. A running platform jumps within a second, and the clock stays ahead after a restart. It cannot
be set back; to start over, delete .tillwright/.`

const advance = new Command('advance')
  .description('Move the clock of the local platform forward')
  .argument('<duration>', 'by how much: 32d, 2h, 15m, 30s, 1w', duration)
  .option(...jsonOption)
  .addHelpText('after', help)
  .action((byMs: number, options: OutputOptions) =>
    answer(options, () => advanceLocalTime(readConfig(process.env), byMs), showTime),
  )

const show = new Command('show')
  .description('Show the time of the local platform, and how far it is ahead')
  .option(...jsonOption)
  .action((options: OutputOptions) => answer(options, () => localTime(readConfig(process.env)), showTime))

/** `tillwright clock`: shows and moves the local platform's time. */
export const clockCommand = new Command('clock').addCommand(advance).addCommand(show)

function showTime({ nowMs, aheadMs }: LocalTime): string {
  const now = new Date(nowMs).toISOString()
  return aheadMs === 0 ? `${now}, same as this machine\n` : `${now}, ${formatDuration(aheadMs)} ahead\n`
}

/** Formats a duration as `32 d 2 h`, without zero parts. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ')
}

function duration(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null) return ms
  throw new InvalidArgumentError('It must be a number and a unit, like 32d, 2h, 15m, 30s or 1w, at most 3650d.')
}
