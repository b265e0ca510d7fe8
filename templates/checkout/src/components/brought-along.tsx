import { useMoney, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { texts } from '../texts.ts'

/** What an earlier page has put into the order. It is the buyer's once they have seen it. */
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
