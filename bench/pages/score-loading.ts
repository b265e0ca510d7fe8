import type { Loading } from './time-page.ts'

/** A metric of Lighthouse's: where it scores 90 and 50 on a telephone, and what it weighs. */
interface Curve {
  good: number
  middling: number
  weight: number
}

/** Of Lighthouse 13, without the Speed Index (a tenth), which takes a film of the page. */
const curves: Readonly<Record<'fcp' | 'lcp' | 'tbt' | 'cls', Curve>> = {
  fcp: { good: 1_800, middling: 3_000, weight: 10 },
  lcp: { good: 2_500, middling: 4_000, weight: 25 },
  tbt: { good: 200, middling: 600, weight: 30 },
  cls: { good: 0.1, middling: 0.25, weight: 25 },
}

/** How a loading scores, from 0 to 100, by Lighthouse's curves for telephones. */
export function scoreLoading(loading: Pick<Loading, keyof typeof curves>): number {
  const parts = Object.entries(curves).map(([name, curve]) => ({
    weight: curve.weight,
    score: scoreOf(loading[name as keyof typeof curves], curve), // the keys of the record
  }))
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0)
  return (100 * parts.reduce((sum, { weight, score }) => sum + weight * score, 0)) / weights
}

/** The share of a log-normal distribution that is worse than a value, given its 10th percentile and its median. */
function scoreOf(value: number, { good, middling }: Curve): number {
  if (value <= 0) return 1
  const spread = Math.log(middling / good) / NORMAL_AT_90
  return 1 - normal(Math.log(value / middling) / spread)
}

/** How many standard deviations have nine tenths of a normal distribution below them. */
const NORMAL_AT_90 = 1.2815515655446004

/** The normal distribution. Source: Abramowitz and Stegun, 7.1.26, good to seven digits. */
function normal(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2)
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const error = 1 - series * Math.exp((-x * x) / 2)
  return x < 0 ? (1 - error) / 2 : (1 + error) / 2
}
