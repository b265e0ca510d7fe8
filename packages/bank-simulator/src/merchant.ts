/** The fields of a hook's question on which the simulated merchant's answer depends. */
interface Question {
  lines?: readonly { amount?: number; isTaxable?: boolean; isShippable?: boolean; grams?: number | null }[]
  amount?: number
}

/** The tax on taxable lines. */
const TAX_RATE = 0.08
/** From here on the simulated merchant wants the buyer authenticated. */
const CHALLENGE_FROM = 100_000

/** An answer, and its status; `null` for an unknown question. */
export interface MerchantAnswer {
  status: number
  body: string
}

/**
 * Answers a question to a hook as a merchant's server would: 8 % on taxable lines, two shipping rates by weight,
 * everything in stock, and a challenge from 1,000.00 on. `behaviour` arranges something else: `hang` and `fail`, `garbage`,
 * `sold-out`, `review`, `refuse` and `challenge`.
 */
export async function answerHook(kind: string, asked: unknown, behaviour: string): Promise<MerchantAnswer | null> {
  if (behaviour === 'hang') await new Promise((resolve) => setTimeout(resolve, HANGS_MS).unref())
  if (behaviour === 'fail') return { status: 500, body: '{"error":"arranged"}' }
  if (behaviour === 'garbage') return { status: 200, body: '<html>' }
  const question: Question = typeof asked === 'object' && asked !== null ? asked : {}
  const answer = answerTo(kind, question, behaviour)
  return answer === null ? null : { status: 200, body: JSON.stringify(answer) }
}

/** Longer than the longest time limit of a hook. */
const HANGS_MS = 5_000

function answerTo(kind: string, { lines = [], amount = 0 }: Question, behaviour: string): object | null {
  switch (kind) {
    case 'tax':
      return {
        taxes: lines.flatMap((line, index) =>
          line.isTaxable === true
            ? [{ line: index, name: 'Sales tax', rate: '8 %', amount: Math.round((line.amount ?? 0) * TAX_RATE) }]
            : [],
        ),
      }
    case 'shipping_rates': {
      const grams = lines.reduce((sum, line) => sum + (line.isShippable === true ? (line.grams ?? 0) : 0), 0)
      const perKilo = Math.ceil(grams / 1_000) * 100
      return {
        rates: [
          { id: 'standard', name: 'Standard', description: '3 to 5 days', amount: 400 + perKilo },
          { id: 'express', name: 'Express', description: 'Tomorrow', amount: 1_200 + 2 * perKilo },
        ],
      }
    }
    case 'stock':
      return { lines: lines.map((_, line) => ({ line, available: behaviour !== 'sold-out' })) }
    case 'risk': {
      const arranged = ['review', 'refuse', 'challenge'].find((decision) => decision === behaviour)
      return { decision: arranged ?? (amount >= CHALLENGE_FROM ? 'challenge' : 'allow') }
    }
    default:
      return null
  }
}
