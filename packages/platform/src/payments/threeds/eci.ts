import type { TransStatus } from '@tillwright/contract'

/** What a network calls an authenticated payment, an attempted one, and any other. */
interface Indicators {
  authenticated: string
  attempted: string
  none: string
}

const most: Indicators = { authenticated: '05', attempted: '06', none: '07' }
const mastercards: Indicators = { authenticated: '02', attempted: '01', none: '00' }

/** By the brand of the card. Source: the networks' 3-D Secure guides; Diners runs on Discover, Maestro on Mastercard. */
const byBrand = new Map<string, Indicators>([
  ['visa', most],
  ['amex', most],
  ['discover', most],
  ['diners', most],
  ['jcb', most],
  ['unionpay', most],
  ['mastercard', mastercards],
  ['maestro', mastercards],
])

/**
 * The electronic commerce indicator that an authorisation carries after an authentication.
 *
 * @param brand The card's, as the vault names it.
 * @returns `null` while the buyer is being asked, and for a brand without 3-D Secure.
 */
export function eciOf(brand: string, transStatus: TransStatus): string | null {
  const indicators = byBrand.get(brand)
  if (indicators === undefined) return null
  switch (transStatus) {
    case 'Y':
      return indicators.authenticated
    case 'A':
      return indicators.attempted
    case 'N':
    case 'U':
    case 'R':
    case 'I':
      return indicators.none
    case 'C':
    case 'D':
      return null
  }
}

/** Whether the issuer bears the loss of a fraudulent payment: after an authentication, and after the attempt at one. */
export function shiftsLiability(brand: string, transStatus: TransStatus): boolean {
  return byBrand.has(brand) && (transStatus === 'Y' || transStatus === 'A')
}
