import type { Problem } from '@tillwright/plugin-build'
import { Command } from 'commander'
import pc from 'picocolors'
import { exitCodes } from '../terminal/fail-with.ts'
import { jsonOption } from '../terminal/output.ts'

/** The `--dry-run` option of all commands. */
export const dryRunOption = ['--dry-run', 'print what would be done without doing it'] as const

/** A command for a plugin's folder, the current one by default. */
export function pluginCommand(name: string): Command {
  return new Command(name).argument('[folder]', "the plugin's folder", '.').option(...jsonOption)
}

/** Sets the exit code to `invalid` if one of the problems is an error. Returns whether there is none. */
export function judge(problems: readonly Problem[]): boolean {
  const valid = problems.every(({ severity }) => severity !== 'error')
  if (!valid) process.exitCode = exitCodes.invalid
  return valid
}

/** One line per problem, in the format editors and terminals understand: `file:line:column pointer rule - fix`. */
export function showProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => `${showProblem(problem)}\n`).join('')
}

function showProblem({ file, line, column, pointer, severity, rule, fix }: Problem): string {
  const place = [`${file}:${line}:${column}`, ...(pointer === null || pointer === '' ? [] : [pointer])].join(' ')
  const kind = severity === 'warning' ? `${pc.yellow('warning')} ` : ''
  return `${pc.bold(place)} ${kind}${rule.replace(/\.$/, '')} - ${fix}`
}
