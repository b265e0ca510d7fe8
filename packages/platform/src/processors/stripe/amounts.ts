import { writtenAmounts } from '../minor-units.ts'

/**
 * Amounts as Stripe writes them. Two currencies kept their decimals when they lost them. Source: Stripe, "Supported
 * currencies", special cases, zero-decimal and three-decimal currencies.
 */
export const stripeAmounts = writtenAmounts({
  twoDecimals: ['ISK', 'UGX'],
  noDecimals: ['MGA'],
  roundedToTen: ['BHD', 'JOD', 'KWD', 'OMR', 'TND'],
})
