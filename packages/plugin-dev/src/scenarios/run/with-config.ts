import type { Page } from 'playwright-core'

/**
 * Has every document tell its page other settings than those that are live in the store: a hosted page knows those alone, and
 * a scenario may be about any preset. The modules of a page run when its document has been parsed, and so after this.
 */
export async function withConfig(page: Page, config: object): Promise<void> {
  await page.addInitScript((settings) => {
    const replace = () => {
      const data = document.getElementById('tillwright-data')
      if (data !== null) data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), config: settings })
    }
    document.addEventListener('readystatechange', replace, { once: true })
  }, config)
}
