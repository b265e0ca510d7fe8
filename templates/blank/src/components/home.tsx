import { useConfig, useOrder, useText } from '@tillwright/plugin-sdk/preact'
import { greeting } from '../rules/greeting.ts'

/** The page: a setting of the merchant's, and how much is in the buyer's order. */
export function Home() {
  const { headline } = useConfig()
  const order = useOrder()
  const t = useText()
  return (
    <main>
      <h1>{t(headline)}</h1>
      <p aria-live="polite">{order && t(greeting(order.lines))}</p>
    </main>
  )
}
