import { Command } from 'commander'
import pc from 'picocolors'
import { exitCodes } from '../terminal/fail-with.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/output.ts'
import type { Finding, Level } from './checks.ts'
import type { Diagnosis } from './doctor.ts'

/** `tillwright doctor`. */
export const doctorCommand = new Command('doctor')
  .option(...jsonOption)
  .option('--production', "check what production rests on instead, with the platform's settings, where it runs")
  .addHelpText(
    'after',
    '\nExits with 1 if a check fails. A platform explains the checks of --production at /guide/operating/going-live.',
  )
  .action((options: OutputOptions & { production?: true }) => answer(options, () => examine(options), show))

async function examine({ production }: { production?: true }): Promise<Diagnosis> {
  const diagnosis =
    production === true
      ? await (await import('./production.ts')).productionDoctor()
      : await (await import('./doctor.ts')).doctor()
  if (!diagnosis.healthy) process.exitCode = exitCodes.failed
  return diagnosis
}

const colours: Record<Level, (text: string) => string> = { ok: pc.green, warn: pc.yellow, fail: pc.red }

function show({ findings }: Diagnosis): string {
  return findings.map(line).join('')
}

function line({ level, what, fix }: Finding): string {
  return `${colours[level](level.padEnd(4))}  ${what}${fix === null ? '' : `\n      ${fix}`}\n`
}
