import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { PageProblem } from './page-problem.ts'
import { ToolMissing } from './tool-missing.ts'

/** The rules of WCAG 2.2, levels A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const NAMED_MAX = 3

/**
 * What axe-core finds in a page. The card form is not looked into: it is the same in every plugin.
 *
 * @throws {ToolMissing} Where axe-core is not installed.
 */
export async function checkAccessibility(page: Page): Promise<PageProblem[]> {
  await page.evaluate(await axeSource()) // not as an element: the policy of the page would refuse it
  const { violations } = await page.evaluate<AxeResults, string[]>(
    (tags) =>
      Reflect.get(window, 'axe').run(document, {
        runOnly: { type: 'tag', values: tags },
        iframes: false,
        resultTypes: ['violations'],
      }),
    WCAG,
  )
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, NAMED_MAX).map(({ target }) => target.join(' '))
    const more = nodes.length > NAMED_MAX ? ` and ${nodes.length - NAMED_MAX} more` : ''
    return { kind: 'accessibility', message: `${help} (${id}): ${places.join(', ')}${more}` }
  })
}

async function axeSource(): Promise<string> {
  try {
    return await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  } catch {
    throw new ToolMissing('Pages are checked by axe-core: install it with "npm install --save-dev axe-core".')
  }
}
