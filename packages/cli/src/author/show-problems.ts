import type { Problem } from '@tillwright/plugin-build'
import pc from 'picocolors'

/** A line for each problem, as editors and terminals read them: `file:line:column pointer rule - fix`. */
export function showProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => `${showProblem(problem)}\n`).join('')
}

function showProblem({ file, line, column, pointer, severity, rule, fix }: Problem): string {
  const place = [`${file}:${line}:${column}`, ...(pointer === null || pointer === '' ? [] : [pointer])].join(' ')
  const kind = severity === 'warning' ? `${pc.yellow('warning')} ` : ''
  return `${pc.bold(place)} ${kind}${rule.replace(/\.$/, '')} - ${fix}`
}
