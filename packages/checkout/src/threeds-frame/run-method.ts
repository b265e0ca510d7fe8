import { awaitNotice } from './await-notice.ts'
import { delay } from './delay.ts'
import { isIssuerUrl } from './is-issuer-url.ts'
import { openIssuerPage } from './open-issuer-page.ts'
import type { ThreedsConfig } from './threeds-config.ts'

/** How long a bank may look at the browser. Source: EMV 3DS, 5.8.1: at most 10 s. */
export const METHOD_TIMEOUT_MS = 10_000

/** The page with which a bank looks at the browser, and what it is sent. */
export interface Method {
  url: string
  data: string
}

/**
 * Opens the bank's method page where nobody sees it, and waits for its notification.
 *
 * @returns Whether it came in time, as `threeDSCompInd` says it.
 */
export async function runMethod({ url, data }: Method, config: ThreedsConfig): Promise<'Y' | 'N'> {
  if (!isIssuerUrl(url, config)) return 'N'
  const iframe = openIssuerPage(document.body, url, ['threeDSMethodData', data])
  return Promise.race([
    awaitNotice(iframe, 'method').then(() => 'Y' as const),
    delay(METHOD_TIMEOUT_MS).then(() => 'N' as const),
  ])
}
