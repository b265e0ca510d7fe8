import { writtenAmounts } from '../minor-units.ts'

/** Amounts as Checkout.com writes them. Source: Checkout.com, "Format the amount value". */
export const checkoutAmounts = writtenAmounts({
  twoDecimals: ['CLP'],
  roundedToTen: ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'],
  digitsMax: 9,
})
