import type { Problem } from '@tillwright/plugin-build'
import { Command } from 'commander'
import pc from 'picocolors'
import { exitCodes } from '../terminal/fail-with.ts'
import { jsonOption } from '../terminal/output.ts'

/** What `--dry-run` is called everywhere. */
export const dryRunOption = ['--dry-run', 'say what would be done, and do nothing'] as const

/** A command that works on a plugin's folder, which is the current one unless another is named. */
export function pluginCommand(name: string): Command {
  return new Command(name).argument('[folder]', "the plugin's folder", '.').option(...jsonOption)
}

/** Makes the process end with `invalid` when one of the problems is an error, and says whether none is. */
export function judge(problems: readonly Problem[]): boolean {
  const valid = problems.every(({ severity }) => severity !== 'error')
  if (!valid) process.exitCode = exitCodes.invalid
  return valid
}

/** A line for each problem, as editors and terminals read them: `file:line:column pointer rule - fix`. */
export function showProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => `${showProblem(problem)}\n`).join('')
}

function showProblem({ file, line, column, pointer, severity, rule, fix }: Problem): string {
  const place = [`${file}:${line}:${column}`, ...(pointer === null || pointer === '' ? [] : [pointer])].join(' ')
  const kind = severity === 'warning' ? `${pc.yellow('warning')} ` : ''
  return `${pc.bold(place)} ${kind}${rule.replace(/\.$/, '')} - ${fix}`
}
