import type { Deliver } from '../../src/events/index.ts'
import { currentHost } from '../machine/host.ts'
import { strikes, type World } from './world.ts'

/** The URLs of the merchant's server, by the kind of question. */
export const HOOK_URLS = {
  risk: 'https://server.shop.example/risk',
  stock: 'https://server.shop.example/stock',
} as const

/** Amounts for which the merchant's server does not simply allow the payment. */
export const riskAmounts = { refuse: 1_077, challenge: 1_088 } as const

/** The merchant's answer about a payment. */
export interface Word {
  kind: keyof typeof HOOK_URLS
  paymentId: string
  /** The amount to be paid, in minor units. */
  amount: number
  says: 'allow' | 'refuse' | 'challenge'
  /** Whether the answer reached the process in time. */
  isHeard: boolean
}

/** The merchant's own server, which is asked before a charge. */
export interface Merchant {
  deliver: Deliver
  /** The answers, oldest first. */
  readonly words: readonly Word[]
}

interface Question {
  id: string
  kind: Word['kind']
  paymentId: string
  amount: number
  lines: readonly object[]
}

export function openMerchant(world: World): Merchant {
  const words: Word[] = []
  const { dice, scheduler } = world
  const deliver: Deliver = (_, { body }, signal) => {
    const at = currentHost()
    if (at === null) throw new Error("The merchant's server is asked by a process.")
    return new Promise((resolve) => {
      const giveUp = () => resolve({ failure: 'There was no answer in time.' })
      signal.addEventListener('abort', giveUp, { once: true })
      const answer = (status: number, excerpt: string, heard: () => void) =>
        void at.after(dice.between(5, 200), "hears from the merchant's server", () => {
          if (!signal.aborted) heard()
          resolve({ status, retryAfter: null, excerpt })
        })
      scheduler.after(dice.between(5, 200), `${at.name} reaches the merchant's server`, () => {
        if (strikes(world, 'merchant.hangs')) return
        if (strikes(world, 'merchant.down')) return answer(500, '', () => {})
        if (strikes(world, 'merchant.nonsense')) return answer(200, '{"decision":"perhaps"}', () => {})
        const question: Question = JSON.parse(body)
        const { kind, paymentId, amount } = question
        const word: Word = { kind, paymentId, amount, says: verdictOn(question), isHeard: false }
        words.push(word)
        world.tell('merchant', `${kind} of ${paymentId}: ${word.says}`)
        if (strikes(world, 'merchant.answer lost')) return
        answer(200, textOf(word, question), () => (word.isHeard = true))
      })
    })
  }
  return { deliver, words }
}

/** Always gives the same answer to the same question. */
function verdictOn({ id, kind, amount }: Question): Word['says'] {
  if (kind === 'stock') return id.charCodeAt(id.length - 1) % 8 === 0 ? 'refuse' : 'allow'
  if (amount % 10_000 === riskAmounts.refuse) return 'refuse'
  return amount % 10_000 === riskAmounts.challenge ? 'challenge' : 'allow'
}

function textOf({ kind, says }: Word, { lines }: Question): string {
  const stock = { lines: lines.map((_, line) => ({ line, available: says === 'allow' })) }
  return JSON.stringify(kind === 'stock' ? stock : { decision: says })
}
