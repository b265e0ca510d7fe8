import { useOrder, usePage, useSession } from '@tillwright/plugin-sdk/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Settings } from '../look/settings.ts'
import { lineOfWay, linesOfProducts, linesWithWay, partLines, type ShippingWay } from '../order/lines.ts'
import { readCart } from '../order/read-cart.ts'

/** The order as this page fills it. */
export interface Cart {
  /** Whether there is nothing to buy, for good. */
  isEmpty: boolean
  /** Puts what the shop sells into an order: the next one, behind a paid one. */
  fill(): void
}

/**
 * Sees that the order has what it is to have: at first the cart of the address or what the shop sells, and always the line
 * of the chosen way of shipping.
 */
export function useCart(settings: Settings, way: ShippingWay | null): Cart {
  const page = usePage()
  const isReady = useSession().view !== null
  const order = useOrder()
  const [isFilled, setFilled] = useState(false)

  async function fill(lines = linesOfProducts(settings.products)): Promise<void> {
    if (lines.length > 0) await page.order.setLines([...lines, ...lineOfWay(way)], settings.currency || undefined)
  }

  useEffect(() => {
    if (!isReady) return
    const cart = takeCart()
    const isWanted = order?.status === 'open' && (cart !== null || order.lines.length === 0)
    const filling = isWanted ? fill(cart ?? undefined) : Promise.resolve()
    void filling.catch(ignore).finally(() => setFilled(true))
  }, [isReady])
  useLineOfWay(settings, isFilled ? way : null)
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

function useLineOfWay({ shipping }: Settings, way: ShippingWay | null): void {
  const page = usePage()
  const order = useOrder()
  const asked = useRef('')
  const parted = order === null ? null : partLines(order, shipping)
  const isOpen = order?.status === 'open' && order.lines.length > 0
  const wanted = way?.variantId ?? ''
  useEffect(() => {
    if (!isOpen || way === null || parted === null || (parted.shipping?.variantId ?? '') === wanted) return
    if (asked.current === way.id) return // it was refused: asking for ever would not help
    asked.current = way.id
    void page.order
      .setLines(linesWithWay(parted, way))
      .then(() => (asked.current = ''))
      .catch(ignore)
  }, [isOpen, way?.id, wanted, parted?.shipping?.variantId])
}
