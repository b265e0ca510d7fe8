import type { Contract, ResponseOf } from '@tillwright/contract'
import { Badge, Time } from '../design/controls.tsx'
import { count, money } from '../language/values.ts'
import { text } from './text.ts'
import './objects.css'

/** One question to the merchant's own server, and what came of it. */
export type HookAnswer = ResponseOf<Contract['hooks']['answers']>['answers'][number]

interface AnswersProps {
  of: readonly HookAnswer[]
  /** Of the amounts in the answers; without one, no amounts are shown. */
  currency?: string
}

/** Questions to the merchant's own server, with its answers. */
export function HookAnswers({ of: answers, currency }: AnswersProps) {
  return (
    <ul class="entries">
      {answers.map((asked, index) => (
        <li key={`${asked.id} ${index}`}>
          <strong>{text(`hook.${asked.kind}`)}</strong>{' '}
          <Badge tone={asked.answer === null ? 'bad' : 'good'}>
            {text(asked.answer === null ? 'unanswered' : 'answered')}
          </Badge>
          <span class="end hint">
            <Time at={asked.askedAt} /> · {text('took', { ms: count(asked.tookMs) })}
          </span>
          {linesOf(asked, currency).map((line, at) => (
            <p key={at} class="hint">
              {line}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** An answer in words, line by line. */
function linesOf({ answer, detail, failure, action }: HookAnswer, currency: string | undefined): string[] {
  if (answer === null) return [detail ?? failure ?? '', action === 'applied' ? '' : text(action)].filter(Boolean)
  const words = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(' ')
  const shown = (amount: number) => (currency === undefined ? '' : money(amount, currency))
  if ('taxes' in answer) {
    const taxes = answer.taxes.map(({ name, rate, amount }) => words(name, rate, shown(amount)))
    return taxes.length === 0 ? [text('noTax')] : taxes
  }
  if ('rates' in answer) return answer.rates.map(({ name, amount }) => words(name, shown(amount)))
  if ('decision' in answer) return [[text(`risk.${answer.decision}`), answer.reason].filter(Boolean).join(': ')]
  return [text(answer.lines.every(({ available }) => available) ? 'inStock' : 'outOfStock')]
}
