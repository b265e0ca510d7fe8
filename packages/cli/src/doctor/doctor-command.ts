import { Command } from 'commander'
import pc from 'picocolors'
import { exitCodes } from '../terminal/fail-with.ts'
import { answer, jsonOption, type OutputOptions } from '../terminal/output.ts'
import type { Finding, Level } from './checks.ts'
import type { Diagnosis } from './doctor.ts'

/** `tillwright doctor`. */
export const doctorCommand = new Command('doctor')
  .option(...jsonOption)
  .action((options: OutputOptions) => answer(options, examine, show))

async function examine(): Promise<Diagnosis> {
  const { doctor } = await import('./doctor.ts')
  const diagnosis = await doctor()
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
