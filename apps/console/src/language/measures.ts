import { locale } from './language.ts'

const unit = (name: string, unitDisplay: 'short' | 'narrow' = 'short') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 })

/** Each with how many milliseconds it has, and up to which duration it is used. */
const durations = [
  { format: unit('millisecond'), ms: 1, below: 1_000 },
  { format: unit('second'), ms: 1_000, below: 120_000 },
  { format: unit('minute'), ms: 60_000, below: 7_200_000 },
  { format: unit('hour'), ms: 3_600_000, below: 172_800_000 },
  { format: unit('day'), ms: 86_400_000, below: Infinity },
] as const

/** A duration in the largest unit that says enough: 90 s, 45 min, 3 days. */
export function duration(ms: number): string {
  const fitting = durations.find(({ below }) => Math.abs(ms) < below)
  return fitting === undefined ? '' : fitting.format.format(Math.floor(ms / fitting.ms))
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'].map((name) => unit(name))

/** A size in the largest unit that is not below one: 48.3 GB. */
export function bytes(size: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), sizes.length - 1)
  return sizes[step]?.format(size / 1_000 ** step) ?? ''
}
