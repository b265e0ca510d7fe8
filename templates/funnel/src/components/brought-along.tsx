import { useMoney, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** Items added to the order by an earlier page, shown so that the buyer can confirm them. */
export function BroughtAlong() {
  const { view } = useSession()
  const t = useText()
  const money = useMoney()
  if (!view?.broughtAlong) return null
  const lines = view.broughtAlong.lines.map(
    ({ quantity, name, amount }) => `${quantity} × ${name} (${money(amount, view.order.currency)})`,
  )
  return (
    <p className="brought-along" role="status">
      {t(texts.broughtAlong, { lines: lines.join(', ') })}
    </p>
  )
}
