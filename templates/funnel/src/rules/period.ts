import type { Recurrence, Translation } from '@tillwright/plugin-sdk'

/** How often a price is paid, to stand behind its amount: `/ month`, `/ 3 months`. */
export function period({ interval, intervalCount }: Pick<Recurrence, 'interval' | 'intervalCount'>): Translation {
  const inWords = (locale: string) => {
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit: interval, unitDisplay: 'long' })
    const [, name] = format.format(intervalCount).split(/\s+/)
    return intervalCount === 1 ? `/ ${name}` : `/ ${format.format(intervalCount)}`
  }
  return { en: inWords('en'), de: inWords('de') }
}
