import type { TransStatus } from './messages.ts'

/** The ECI values of a payment system. */
interface Indicators {
  authenticated: string
  attempted: string
  none: string
}

const common: Indicators = { authenticated: '05', attempted: '06', none: '07' }
const mastercard: Indicators = { authenticated: '02', attempted: '01', none: '00' }

/** By card brand. Source: the payment systems' 3-D Secure guides; Diners runs on Discover, Maestro on Mastercard. */
const byBrand = new Map<string, Indicators>([
  ['visa', common],
  ['amex', common],
  ['discover', common],
  ['diners', common],
  ['jcb', common],
  ['unionpay', common],
  ['mastercard', mastercard],
  ['maestro', mastercard],
])

/**
 * The electronic commerce indicator (`eci`) of an authorization after an authentication.
 *
 * @param brand Lower case: `visa`, `mastercard`, `amex`, `discover`, `diners`, `jcb`, `unionpay` or `maestro`.
 * @returns Two digits; `null` during a challenge, and for a brand without 3-D Secure.
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

/** Whether liability for fraud shifts to the issuer: after a successful authentication, and after an attempt. */
export function shiftsLiability(brand: string, transStatus: TransStatus): boolean {
  return byBrand.has(brand) && (transStatus === 'Y' || transStatus === 'A')
}
