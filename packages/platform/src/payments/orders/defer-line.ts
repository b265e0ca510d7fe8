import type { OrderLine } from '@tillwright/contract'

/**
 * A line as its buyer pays it today: nothing of it where it begins with a free trial, or is paid in arrears.
 *
 * @param promotedDays The free days that promotions give; the longer of these and those of the line counts.
 */
export function deferLine(line: OrderLine, promotedDays: number): OrderLine {
  if (line.recurring === null) return line
  const recurring = { ...line.recurring, trialDays: Math.max(line.recurring.trialDays, promotedDays) }
  if (recurring.trialDays === 0 && recurring.billingTiming === 'in_advance') return { ...line, recurring }
  return { ...line, recurring, amount: 0, deferredAmount: line.amount }
}
