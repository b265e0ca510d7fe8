import type { Problem } from '@tillwright/plugin-build'
import pc from 'picocolors'

/** One problem of a plugin as a line that editors and terminals lead to its place from. */
export function showProblem({ severity, file, line, column, pointer, rule, fix, code }: Problem): string {
  const mark = severity === 'error' ? pc.red('error') : pc.yellow('warning')
  const place = pc.bold(`${file}:${line}:${column}`)
  return `${place} ${mark} ${pointer === null ? '' : `${pointer} `}${rule} ${fix} ${pc.dim(code)}`
}
