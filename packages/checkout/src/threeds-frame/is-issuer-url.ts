import type { ThreedsConfig } from './threeds-config.ts'

/** The longest address of a bank's page. Source: EMV 3DS, acsURL and threeDSMethodURL: at most 2048 characters. */
const MAX_URL_LENGTH = 2_048

/** Whether a form may be sent to this address. `javascript:`, `data:` and whatever else a browser would run are none. */
export function isIssuerUrl(text: string, { issuers }: Pick<ThreedsConfig, 'issuers'>): boolean {
  return text.length <= MAX_URL_LENGTH && issuers.some((beginning) => text.startsWith(beginning))
}
