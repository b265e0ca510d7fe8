import type { Page } from 'playwright-core'
import type { PageProblem } from './page-problem.ts'

/** Collects what a page complains of, from before it is opened. */
export function watchErrors(page: Page): PageProblem[] {
  const problems: PageProblem[] = []
  page.on('console', (said) => {
    if (said.type() !== 'error') return
    const { url, lineNumber } = said.location()
    const place = url === '' ? '' : ` (${new URL(url).pathname}:${lineNumber + 1})`
    problems.push({ kind: 'console', message: `${withoutTokens(said.text())}${place}` })
  })
  page.on('pageerror', ({ name, message }) => {
    problems.push({ kind: 'error', message: withoutTokens(`${name}: ${message}`) })
  })
  return problems
}

/** A session's token opens it, and what is told here may stand in the logs of others. */
function withoutTokens(text: string): string {
  return text.replaceAll(/(fstok|fscode)_\w+/g, '$1_...')
}
