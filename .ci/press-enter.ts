import type { Locator } from 'playwright-core'

/**
 * Presses Enter in a field that may go away with its frame, such as a bank's. On a busy machine Chromium then never
 * reports that the key was released; that the field has gone is as good.
 */
export async function pressEnter(field: Locator): Promise<void> {
  await Promise.race([field.press('Enter'), field.waitFor({ state: 'detached' })])
}
