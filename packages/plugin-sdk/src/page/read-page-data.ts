import { TillwrightError } from '../tillwright-error.ts'
import type { PageData } from './page-data.ts'

/**
 * Reads what the platform has written into the document.
 *
 * @param text The content of `#tillwright-data`, or nothing.
 * @throws {TillwrightError} `page_data_missing`.
 */
export function readPageData(text: string | null | undefined): PageData {
  if (text) return JSON.parse(text)
  throw new TillwrightError(
    'page_data_missing',
    'The document has no #tillwright-data: open it with `tillwright dev`, or publish it.',
  )
}
