/** Where a processor writes amounts otherwise than in the minor unit of ISO 4217; currencies by their codes. */
export interface OwnUnits {
  /** With two decimals, which ISO 4217 does not give them: those that are added are zeros. */
  twoDecimals?: readonly string[]
  /** Without the two decimals that ISO 4217 gives them. */
  noDecimals?: readonly string[]
  /** With three decimals, of which the last has to be a zero. */
  roundedToTen?: readonly string[]
  /** The most digits that it takes. */
  digitsMax?: number
}

/** Amounts as a processor writes them, and the way back. */
export interface WrittenAmounts {
  /** @returns `null` where the processor has no way to write the amount, which is in the minor unit of ISO 4217. */
  write(amount: number, currency: string): number | null
  /** @returns In the minor unit of ISO 4217. What is less than a unit is cut off. */
  read(written: number, currency: string): number
}

/** The amounts of a processor that writes them as whole numbers. */
export function writtenAmounts({
  twoDecimals = [],
  noDecimals = [],
  roundedToTen = [],
  digitsMax = Number.MAX_SAFE_INTEGER,
}: OwnUnits): WrittenAmounts {
  const fits = (written: number) => (String(written).length <= digitsMax ? written : null)
  return {
    write(amount, currency) {
      if (twoDecimals.includes(currency)) return fits(amount * 100)
      if (noDecimals.includes(currency)) return amount % 100 === 0 ? fits(amount / 100) : null
      return roundedToTen.includes(currency) && amount % 10 !== 0 ? null : fits(amount)
    },
    read(written, currency) {
      if (twoDecimals.includes(currency)) return Math.trunc(written / 100)
      return noDecimals.includes(currency) ? written * 100 : written
    },
  }
}
