/** The files of a plugin that sells bags, as an author would write it in Preact. */
export function bagShop(variantId: string): Record<string, string> {
  return {
    ...pages,
    'package.json': JSON.stringify({ dependencies: { preact: '*' } }),
    'src/shop.tsx': `import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider } from '@tillwright/plugin-sdk/preact'
import { render, type ComponentChildren } from 'preact'

export const page = openPage({ locales: ['en', 'de'] })
export const line = { variantId: '${variantId}' }

export function show(content: ComponentChildren) {
  render(<PageProvider page={page}>{content}</PageProvider>, document.querySelector('#app')!)
}
`,
  }
}

/** The files of a plugin with one page, in React: its button can be pressed by who has agreed, and it counts how often it was. */
export function reactPage(variantId: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({ dependencies: { react: '*' } }),
    'src/pages/pay.tsx': `import { openPage } from '@tillwright/plugin-sdk'
import { PageProvider, useCard, usePage, usePay } from '@tillwright/plugin-sdk/react'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

const page = openPage()
function Pay() {
  const { pay } = usePage()
  const { status, outcome } = usePay()
  const card = useCard({ name: false })
  const [agreed, setAgreed] = useState(false)
  const [times, setTimes] = useState(0)
  const submit = (event) => {
    event.preventDefault()
    setTimes(times + 1)
    pay.withCard()
  }
  return <form onSubmit={submit}>
    <div id="card" ref={card.ref} />
    <button type="button">Help</button>
    <label><input type="checkbox" checked={agreed} onChange={() => setAgreed(!agreed)} /> I agree</label>
    <button disabled={!agreed || card.status !== 'ready'}>Pay</button>
    <p role="status">{status} {outcome?.outcome} {times}</p>
  </form>
}
void page.order.setLines([{ variantId: '${variantId}' }])
createRoot(document.querySelector('#app')!).render(<StrictMode><PageProvider page={page}><Pay /></PageProvider></StrictMode>)
`,
  }
}

const pages = {
  'src/pages/checkout.tsx': `import { useCard, useMoney, useOrder, usePage, usePay, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { line, page, show } from '../shop.tsx'

function Checkout() {
  const { pay, next } = usePage()
  const session = useSession()
  const order = useOrder()
  const payment = usePay()
  const money = useMoney()
  const t = useText()
  const card = useCard()
  const submit = async () => {
    const { outcome } = await pay.withCard()
    if (outcome === 'paid') await next()
  }
  return <main>
    <h1>{t({ en: 'Checkout', de: 'Kasse' })}</h1>
    <output>{order && money(order.amount, order.currency)}</output>
    <div id="card" ref={card.ref} />
    <button type="button" onClick={submit} disabled={card.status !== 'ready'}>Pay</button>
    <p role="status">{session.status} {payment.status} {payment.outcome?.outcome}</p>
  </main>
}
show(<Checkout />)
page.session.ready().then(async ({ order }) => {
  if (order.status === 'open' && order.lines.length === 0) await page.order.setLines([line])
  const resumed = await page.pay.resume()
  if (resumed?.outcome === 'paid') await page.next()
})
`,
  'src/pages/upsell.tsx': `import { useMoney, useOrder, usePage, usePay } from '@tillwright/plugin-sdk/preact'
import { line, page, show } from '../shop.tsx'

function Upsell() {
  const { pay, next } = usePage()
  const { status, outcome } = usePay()
  const order = useOrder()
  const money = useMoney()
  const take = async () => {
    if (order && (await pay.oneClick(offer, order)).outcome === 'paid') await next()
  }
  return <main>
    <h1>One more thing</h1>
    <button type="button" onClick={take} disabled={order?.status !== 'open'}>Add to my order for {order && money(order.amount, order.currency)}</button>
    <p role="status">{status} {outcome?.outcome}</p>
  </main>
}
const offer = [{ ...line, quantity: 2 }]
page.order.setLines(offer)
show(<Upsell />)
`,
  'src/pages/thanks.tsx': `import { useMoney, usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { show } from '../shop.tsx'

function Thanks() {
  const receipts = useStore(usePage().receipts)
  const money = useMoney()
  return <main>
    <h1>Thank you</h1>
    <ul>{receipts.map(({ order }) => <li key={order.id}>{order.status} {money(order.amount, order.currency)}</li>)}</ul>
  </main>
}
show(<Thanks />)
`,
}
