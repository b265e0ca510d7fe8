import type { Contract, ResponseOf } from '@tillwright/contract'

/** Statistics of an account as the API answers them. */
export type Statistics = ResponseOf<Contract['statistics']['get']>

type OfCurrency = Statistics['currencies'][number]

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

/** From midnight of the reader's day to the end of this hour, and the same hours a week before. */
export function windowsOf(now: Date): Windows {
  const from = new Date(now)
  from.setHours(0, 0, 0, 0)
  const to = new Date(Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS)
  const earlier = (at: Date) => new Date(at.getTime() - WEEK_MS)
  return { today: windowOf(from, to), before: windowOf(earlier(from), earlier(to)) }
}

/** The two spans that the figures of the first page compare. */
export interface Windows {
  today: Window
  before: Window
}

interface Window {
  from: string
  to: string
  interval: 'hour'
}

function windowOf(from: Date, to: Date): Window {
  return { from: from.toISOString(), to: to.toISOString(), interval: 'hour' }
}

/** The sum of a series; 0 for none. */
export function total(series: readonly number[] | undefined): number {
  return (series ?? []).reduce((sum, value) => sum + value, 0)
}

/** The running sum, which shows how a day grows. */
export function running(series: readonly number[]): number[] {
  let sum = 0
  return series.map((value) => (sum += value))
}

/** The currencies of both spans: first that of most payments today, then those of the week before alone. */
export function currenciesOf(now: Statistics, former: Statistics): readonly string[] {
  const byPayments = [now, former].flatMap(({ currencies }) =>
    currencies.toSorted((a, b) => total(b.created) - total(a.created)),
  )
  return [...new Set(byPayments.map(({ currency }) => currency))]
}

/** The numbers of a currency; `undefined` where nothing has happened in it. */
export function inCurrency({ currencies }: Statistics, code: string): OfCurrency | undefined {
  return currencies.find(({ currency }) => currency === code)
}

/** The share of decided payments that succeeded, between 0 and 1; `null` if none were decided. */
export function successRate({ currencies }: Statistics): number | null {
  const succeeded = currencies.reduce((sum, each) => sum + total(each.succeeded), 0)
  const failed = currencies.reduce((sum, each) => sum + total(each.failed), 0)
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
}

/** The sum of one number of all currencies. */
export function countOf({ currencies }: Statistics, of: 'created' | 'failed' | 'chargebacks' | 'inquiries'): number {
  return currencies.reduce((sum, each) => sum + total(each[of]), 0)
}
