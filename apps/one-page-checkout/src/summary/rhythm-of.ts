import type { OrderLine } from '@tillwright/plugin-sdk'
import type { Texts } from '../texts/languages.ts'
import type { Say } from '../texts/use-words.tsx'

const words: Readonly<Record<string, keyof Texts>> = {
  day: 'everyDay',
  week: 'everyWeek',
  month: 'everyMonth',
  year: 'everyYear',
}

/** How often a price is paid, in words: `per month`, `3 × per month` where that is not each time. */
export function rhythmOf({ interval, intervalCount }: NonNullable<OrderLine['recurring']>, say: Say): string {
  const word = words[interval]
  const text = word === undefined ? interval : say(word)
  return intervalCount === 1 ? text : `${intervalCount} × ${text}`
}
