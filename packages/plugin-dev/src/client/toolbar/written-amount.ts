/** An amount of minor units for an author to read: `$24.00`. */
export function writtenAmount(amount: number, currency: string): string {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = money.resolvedOptions().maximumFractionDigits ?? 2
  return money.format(amount / 10 ** digits)
}
