import { useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import { useEffect, useState } from 'preact/hooks'
import type { Settings } from '../look/settings.ts'
import { linesOfProducts } from '../order/lines.ts'
import { readCart } from '../order/read-cart.ts'
import { useView } from '../order/use-view.ts'

/** The order as this page fills it. */
export interface Cart {
  /** Whether there is nothing to buy, for good. */
  isEmpty: boolean
  /** Puts what the shop sells into an order: the next one, behind a paid one. */
  fill(): void
}

/** Sees that the order has what it is to have: at first the cart of the address or what the shop sells. */
export function useCart(settings: Settings): Cart {
  const page = usePage()
  const isReady = useView() !== null
  const order = useOrder()
  const [isFilled, setFilled] = useState(false)

  async function fill(lines = linesOfProducts(settings.products)): Promise<void> {
    if (lines.length > 0) await page.order.setLines(lines, settings.currency || undefined)
  }

  useEffect(() => {
    if (!isReady) return
    const cart = takeCart()
    const isWanted = order?.status === 'open' && (cart !== null || order.lines.length === 0)
    const filling = isWanted ? fill(cart ?? undefined) : Promise.resolve()
    void filling.catch(ignore).finally(() => setFilled(true))
  }, [isReady])
  return {
    isEmpty: isFilled && order?.status === 'open' && order.lines.length === 0,
    fill: () => void fill().catch(ignore),
  }
}

/** Once taken, a cart leaves the address: a reload keeps what the buyer has made of it. */
function takeCart(): ReturnType<typeof readCart> {
  const cart = readCart(location.search)
  if (cart !== null) {
    const address = new URL(location.href)
    address.searchParams.delete('cart')
    history.replaceState(history.state, '', address)
  }
  return cart
}

/** The session says by itself what was wrong, and the page shows it. */
function ignore(): void {}
