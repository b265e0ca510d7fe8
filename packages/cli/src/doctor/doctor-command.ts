import { Command } from 'commander'
import pc from 'picocolors'
import { answer, jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Diagnosis } from './doctor.ts'
import type { Finding, Level } from './finding.ts'

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
