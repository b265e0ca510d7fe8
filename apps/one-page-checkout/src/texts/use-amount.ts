import { useLocale, useMoney } from '@tillwright/plugin-sdk/preact'
import { directionOf } from '@tillwright/plugin-sdk'

/** Keeps what stands before it in the order of Latin letters. Source: Unicode, LEFT-TO-RIGHT MARK. */
const MARK = '\u200E'

/**
 * Writes amounts of minor units in the page's language. In a text that runs from right to left `US$` at the end of an
 * amount would be shown as `$US`, so a mark holds it together.
 */
export function useAmount(): (amountMinor: number, currency: string) => string {
  const money = useMoney()
  const isRightToLeft = directionOf(useLocale()) === 'rtl'
  return (amountMinor, currency) => money(amountMinor, currency) + (isRightToLeft ? MARK : '')
}
