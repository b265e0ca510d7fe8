import type { BuyerSession } from '../api/buyer-session.ts'
import type { LineRef, SessionOrder, WantedLine } from '../api/session-order.ts'
import type { OpenSession } from '../session/open-session.ts'
import { isSameLine, wantedLines } from '../session/wanted-lines.ts'
import { partOf, type Store } from '../store.ts'

/**
 * What the buyer is about to buy, or has bought at last. Every change is answered when the platform has priced it; lines
 * that change in quick succession are sent together. Behind an order that was paid, new lines open the next one.
 */
export interface OrderStore extends Store<SessionOrder | null> {
  /**
   * Replaces all lines.
   *
   * @param currency Upper-case ISO 4217; as before if left out, at first that of the store.
   */
  setLines(lines: readonly WantedLine[], currency?: string): Promise<BuyerSession>
  /** Adds units to the line of the same variant and price, or a line. */
  add(line: WantedLine): Promise<BuyerSession>
  /** Says how many units a line has; 0 takes it out. */
  setQuantity(line: LineRef, quantity: number): Promise<BuyerSession>
  remove(line: LineRef): Promise<BuyerSession>
  /** @throws {TillwrightError} With the param `code` for one that there is not. */
  applyPromotionCode(code: string): Promise<BuyerSession>
  removePromotionCode(code: string): Promise<BuyerSession>
}

type LineChange = (lines: readonly WantedLine[]) => readonly WantedLine[]

/** The order of a session. */
export function openOrder(session: OpenSession): OrderStore {
  let pending: LineChange[] = []
  let wantedCurrency: string | undefined
  let sending: Promise<BuyerSession> | null = null

  const order: OrderStore = {
    ...partOf(session, ({ view }) => view?.order ?? null),
    setLines(lines, currency) {
      wantedCurrency = currency ?? wantedCurrency
      return changeLines(() => lines)
    },
    add: (line) => changeLines((lines) => withMore(lines, line)),
    setQuantity: (line, quantity) =>
      changeLines((lines) =>
        lines.flatMap((each) => (isSameLine(each, line) ? (quantity > 0 ? [{ ...each, quantity }] : []) : [each])),
      ),
    remove: (line) => order.setQuantity(line, 0),
    applyPromotionCode: (code) => session.change('addPromotionCode', () => ({ body: { code } })),
    removePromotionCode: (code) => session.change('removePromotionCode', () => ({ query: { code } })),
  }
  return order

  function changeLines(change: LineChange): Promise<BuyerSession> {
    pending.push(change)
    sending ??= sendLines()
    return sending
  }

  function sendLines(): Promise<BuyerSession> {
    let taken: LineChange[] | null = null
    let currency: string | undefined
    return session.change('setLines', () => {
      // Another try after a conflict makes the same changes to what is there by then.
      if (taken === null) {
        taken = pending
        currency = wantedCurrency
        pending = []
        wantedCurrency = undefined
        sending = null
      }
      const lines = taken.reduce<readonly WantedLine[]>((all, change) => change(all), present())
      session.keep({ lines })
      return { body: { lines, ...(currency !== undefined && { currency }) } }
    })
  }

  /** The lines that can be changed: none behind an order that was placed. */
  function present(): WantedLine[] {
    const { view } = session.get()
    const isPlaced = view?.order.id != null && view.order.status !== 'pending'
    return view === null || isPlaced ? [] : wantedLines(view.order, session.kept.get().lines)
  }
}

function withMore(lines: readonly WantedLine[], added: WantedLine): WantedLine[] {
  const at = lines.findIndex((line) => isSameLine(line, added))
  const { quantity = 1 } = added
  if (at === -1) return [...lines, added]
  return lines.map((line, index) => (index === at ? { ...line, quantity: (line.quantity ?? 1) + quantity } : line))
}
