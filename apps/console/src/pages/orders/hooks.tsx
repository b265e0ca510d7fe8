import type { ListEntry } from '../../api/client.ts'
import { Badge, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { count, money } from '../../language/values.ts'
import { text } from './text.ts'

type OrderDetails = ListEntry<'orders.list'>

type Asked = OrderDetails['hooks'][number]

/** Questions to the merchant's own server for the order, with its answers. */
export function Hooks({ hooks, currency }: { hooks: OrderDetails['hooks']; currency: string }) {
  if (hooks.length === 0) return null
  return (
    <Section title={text('hooks')}>
      <ul class="entries">
        {hooks.map((asked, index) => (
          <li key={`${asked.id} ${index}`}>
            <strong>{text(`hook.${asked.kind}`)}</strong>{' '}
            <Badge tone={asked.answer === null ? 'bad' : 'good'}>
              {text(asked.answer === null ? 'unanswered' : 'answered')}
            </Badge>
            <span class="end hint">
              <Time at={asked.askedAt} /> · {text('took', { ms: count(asked.tookMs) })}
            </span>
            {answerOf(asked, currency).map((line, at) => (
              <p key={at} class="hint">
                {line}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** An answer in words, line by line. */
function answerOf({ answer, detail, failure }: Asked, currency: string): string[] {
  if (answer === null) return [detail ?? failure ?? '', text('continued')].filter(Boolean)
  if ('taxes' in answer) {
    const taxes = answer.taxes.map(({ name, rate, amount }) => [name, rate, money(amount, currency)].filter(Boolean))
    return taxes.length === 0 ? [text('noTax')] : taxes.map((parts) => parts.join(' '))
  }
  if ('rates' in answer) return answer.rates.map(({ name, amount }) => `${name} ${money(amount, currency)}`)
  if ('decision' in answer) return [[text(`risk.${answer.decision}`), answer.reason].filter(Boolean).join(': ')]
  return [text(answer.lines.every(({ available }) => available) ? 'inStock' : 'outOfStock')]
}
