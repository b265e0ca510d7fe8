import type { ScenarioResult } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import type { Tested } from './tested.ts'

/** How one scenario went, while the others go on. */
export function showResult({ name, problems, tookMs, picture }: ScenarioResult): string {
  const mark = problems.length === 0 ? pc.green('✓') : pc.red('✗')
  const lines = problems.map(({ kind, message }) => `    ${pc.red(kind)} ${message}\n`)
  return `${mark} ${name} ${pc.dim(`${picture} ${tookMs} ms`)}\n${lines.join('')}`
}

/** What all of it came to. */
export function showTested({ scenarios, updated }: Tested): string {
  const failed = scenarios.filter(({ problems }) => problems.length > 0).length
  const all = `${scenarios.length} ${scenarios.length === 1 ? 'scenario' : 'scenarios'}`
  const compared = scenarios.filter(({ baseline }) => baseline !== null).length
  const pictures = updated ? 'their pictures are kept in screenshots' : `${compared} compared with a picture`
  return `${all}, ${failed === 0 ? 'nothing is wrong' : `something is wrong with ${failed}`}; ${pictures}.\n`
}
