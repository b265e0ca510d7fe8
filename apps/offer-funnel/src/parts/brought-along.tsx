import type { JSX } from 'preact'
import { useMoney, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'

/** Items added by an earlier page, which the buyer confirms by paying. */
export function BroughtAlong(): JSX.Element | null {
  const { view } = useSession()
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  if (view?.broughtAlong == null) return null
  const lines = view.broughtAlong.lines.map(
    ({ quantity, name, amount }) => `${quantity} × ${name} (${money(amount, view.order.currency)})`,
  )
  return (
    <p class="muted" role="status">
      {t(texts.broughtAlong, { lines: lines.join(', ') })}
    </p>
  )
}
