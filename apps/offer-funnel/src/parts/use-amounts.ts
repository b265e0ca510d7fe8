import { useMoney, usePage } from '@tillwright/plugin-sdk/preact'

/** Keeps a sign such as that of `US$` beside its letters, which a line from right to left would move to their other side. */
const LEFT_TO_RIGHT_MARK = '\u200E'

/** Amounts of minor units in the page's language, as they can stand in a line of either direction. */
export function useAmounts(): (amountMinor: number, currency: string) => string {
  const money = useMoney()
  const { locale } = usePage()
  const mark = locale.dir() === 'rtl' ? LEFT_TO_RIGHT_MARK : ''
  return (amountMinor, currency) => money(amountMinor, currency) + mark
}
