import type { OrderLine } from '@tillwright/plugin-sdk'
import { usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useWords } from '../texts/use-words.tsx'

const MOST = 99

/** The quantity of a line. */
export interface QuantityChoiceProps {
  line: OrderLine
  name: string
  /** The least that may be chosen; 0 takes the line out. */
  least: 0 | 1
}

/** Two buttons around a number that answers at once; the order follows when the platform has priced it. */
export function QuantityChoice({ line, name, least }: QuantityChoiceProps): JSX.Element {
  const { order } = usePage()
  const say = useWords()
  const [wanted, setWanted] = useState(line.quantity)
  useEffect(() => setWanted(line.quantity), [line.quantity])
  const choose = (quantity: number): void => {
    setWanted(quantity)
    const { variantId, priceId } = line
    order.setQuantity({ variantId, priceId }, quantity).catch(() => setWanted(line.quantity))
  }
  const isLast = wanted === 1 && least === 0
  return (
    <div class="quantity" role="group" aria-label={say('quantity')}>
      <button
        type="button"
        aria-label={say(isLast ? 'remove' : 'oneLess', { name })}
        disabled={wanted <= least}
        onClick={() => choose(wanted - 1)}
      >
        {isLast ? '×' : '−'}
      </button>
      <output>{wanted}</output>
      <button
        type="button"
        aria-label={say('oneMore', { name })}
        disabled={wanted >= MOST}
        onClick={() => choose(wanted + 1)}
      >
        +
      </button>
    </div>
  )
}
