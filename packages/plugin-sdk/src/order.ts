import type { BuyerSession, LineRef, SessionOrder, WantedLine } from './api.ts'
import { hasPlaced, isSameLine, type OpenSession, wantedLines } from './session/index.ts'
import { partOf, type Store } from './store.ts'

/**
 * The session's order. A change resolves when the platform has priced it; changes of lines in quick succession are sent
 * together. After an order is paid, new lines start the next one.
 */
export interface OrderStore extends Store<SessionOrder | null> {
  /**
   * Replaces all lines.
   *
   * @param currency Upper-case ISO 4217; unchanged if left out, and initially the store's.
   */
  setLines(lines: readonly WantedLine[], currency?: string): Promise<BuyerSession>
  /** Adds units to the line with the same variant and price, or adds a line. */
  add(line: WantedLine): Promise<BuyerSession>
  /** Sets the quantity of a line; 0 removes it. */
  setQuantity(line: LineRef, quantity: number): Promise<BuyerSession>
  remove(line: LineRef): Promise<BuyerSession>
  /** Chooses one of `shipping.options`. */
  chooseShipping(shippingOptionId: string): Promise<BuyerSession>
  /** @throws {TillwrightError} With `param` set to `code` for an unknown code. */
  applyPromotionCode(code: string): Promise<BuyerSession>
  removePromotionCode(code: string): Promise<BuyerSession>
  /**
   * Confirms the order with the brought-along lines (`session.get().view.broughtAlong`) as currently shown. Nothing can
   * be paid before that.
   */
  confirm(): Promise<BuyerSession>
}

interface Cart {
  lines: readonly WantedLine[]
  currency?: string | undefined
}

type CartChange = (cart: Cart) => Cart

/** The order of a session. */
export function openOrder(session: OpenSession): OrderStore {
  let waiting: CartChange[] = []
  let sending: Promise<BuyerSession> | null = null

  const order: OrderStore = {
    ...partOf(session, ({ view }) => view?.order ?? null),
    setLines: (lines, currency) => change((cart) => ({ lines, currency: currency ?? cart.currency })),
    add: (line) => change((cart) => ({ ...cart, lines: withMore(cart.lines, line) })),
    setQuantity: (line, quantity) =>
      change((cart) => ({
        ...cart,
        lines: cart.lines
          .map((each) => (isSameLine(each, line) ? { ...each, quantity } : each))
          .filter((each) => each.quantity !== 0),
      })),
    remove: (line) => order.setQuantity(line, 0),
    chooseShipping: (shippingOptionId) => session.change('PUT /session/order/shipping', () => ({ shippingOptionId })),
    applyPromotionCode: (code) => session.change('POST /session/promotion-codes', () => ({ code })),
    removePromotionCode: (code) => session.change(`DELETE /session/promotion-codes?code=${encodeURIComponent(code)}`),
    confirm() {
      const { confirmation } = session.get().view?.broughtAlong ?? {}
      return confirmation ? session.change('POST /session/order/confirm', () => ({ confirmation })) : session.ready()
    },
  }
  return order

  function change(wanted: CartChange): Promise<BuyerSession> {
    waiting.push(wanted)
    return (sending ??= send(waiting))
  }

  function send(changes: CartChange[]): Promise<BuyerSession> {
    return session.change('PUT /session/order/lines', () => {
      if (waiting === changes) {
        waiting = []
        sending = null
      }
      // After a conflict, the same changes are applied again to the current lines.
      const cart = changes.reduce((all, wanted) => wanted(all), { lines: present() } as Cart)
      session.keep({ lines: cart.lines })
      return cart
    })
  }

  /** The lines that can be changed: none once the order is placed. */
  function present(): WantedLine[] {
    const { view } = session.get()
    return !view || hasPlaced(view) ? [] : wantedLines(view.order)
  }
}

function withMore(lines: readonly WantedLine[], added: WantedLine): WantedLine[] {
  const same = lines.find((line) => isSameLine(line, added))
  if (!same) return [...lines, added]
  const quantity = (same.quantity ?? 1) + (added.quantity ?? 1)
  return lines.map((line) => (line === same ? { ...line, quantity } : line))
}
