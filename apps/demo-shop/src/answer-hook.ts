import type { verifyHook } from '@tillwright/client'

/** A question that the platform asks the shop's server while a buyer waits. */
type Question = ReturnType<typeof verifyHook>

/** Facts that a real shop has from other systems: the tax on goods, and what a carrier takes, in minor units. */
const TAX_RATE = 0.08
const RATES = [
  { id: 'standard', name: 'Standard', description: 'Two to four days', amount: 500 },
  { id: 'express', name: 'Express', description: 'Tomorrow', amount: 1_200 },
]
/** No buyer of this shop takes more of one thing. */
const STOCK = 100

/**
 * The shop's answer to a question: 8 % on what is taxable, two shipping rates, at most 100 of each line in stock, and every
 * payment is welcome.
 */
export function answerHook({ kind, lines }: Question): object {
  switch (kind) {
    case 'tax':
      return {
        taxes: lines.flatMap(({ isTaxable, amount }, line) =>
          isTaxable ? [{ line, name: 'Sales tax', rate: '8 %', amount: Math.round(amount * TAX_RATE) }] : [],
        ),
      }
    case 'shipping_rates':
      return { rates: RATES }
    case 'stock':
      return { lines: lines.map(({ quantity }, line) => ({ line, available: quantity <= STOCK, quantity: STOCK })) }
    case 'risk':
      return { decision: 'allow' }
  }
}
