import type { OrderStore, Page, SessionOrder, Store, WantedLine } from '@tillwright/plugin-sdk'
import { createStore } from '../flow/create-store.ts'
import { bundleLine, knownVariant } from './bundle-lines.ts'

type Settings = Pick<Tillwright.Config, 'bundles' | 'product' | 'deadline'>

/** Prices of the bundles, in order; `null` for one that is unavailable. */
export interface OfferState {
  status: 'waiting' | 'ready'
  orders: readonly (SessionOrder | null)[]
}

/** The bundles of the funnel, with the prices that the platform has for this buyer. */
export interface Offer extends Store<OfferState> {
  /** The line of a bundle; `null` if no variant is set. */
  lineOf(bundle: Settings['bundles'][number], settings: Settings): ReturnType<typeof bundleLine>
  /** Prices them all. What was priced is not asked for again, unless `settings` or the codes of the order are others. */
  price(settings: Settings): Promise<void>
  /** Prices them again, as when a promotion has ended. */
  priceAgain(settings: Settings): Promise<void>
}

/** Opens the offer of a page. */
export function openOffer(page: Page): Offer {
  const state = createStore<OfferState>({ status: 'waiting', orders: [] })
  let priced: Settings | null = null
  let pricedWith = ''
  let running: Promise<void> = Promise.resolve()

  const offer: Offer = {
    ...state,
    lineOf: (bundle, { product }) => bundleLine(bundle, product, known()),
    price(settings) {
      const isSame = priced?.bundles === settings.bundles && priced.product === settings.product
      if (isSame && (state.get().status === 'waiting' || pricedWith === codes())) return running
      return offer.priceAgain(settings)
    },
    priceAgain(settings) {
      priced = settings
      running = running
        .then(() => ask(settings))
        .catch(() => {
          priced = null // the session is away; the next visit asks again
        })
      return running
    },
  }
  return offer

  async function ask(settings: Settings): Promise<void> {
    await page.pay.resume() // an order that is being paid cannot be priced
    const { order } = await page.session.ready()
    await enterCode(settings.deadline, order)
    const lines = settings.bundles.map((bundle) => offer.lineOf(bundle, settings))
    const orders = await priceBundles(page.order, lines)
    pricedWith = codes()
    state.set({ status: 'ready', orders })
  }

  function codes(): string {
    return page.order.get()?.promotionCodes.join() ?? ''
  }

  /** Without its promotion the offer stands as well, at the price that it has then. */
  async function enterCode({ isShown, code }: Settings['deadline'], order: SessionOrder): Promise<void> {
    const isEntered = order.promotionCodes.some((entered) => entered.toLowerCase() === code.toLowerCase())
    if (isShown && code !== '' && !isEntered) await page.order.applyPromotionCode(code).catch(() => {})
  }

  function known(): string | null {
    return knownVariant([page.order.get(), ...page.receipts.get().map(({ order }) => order)])
  }
}

/**
 * Asks the platform what each of several lines would cost in this session, by making each the order in turn; then the
 * order is as it was.
 *
 * @param order Must be open.
 * @returns An order for each line as it costs without its shipping, `null` where it has no price or the line is `null`.
 */
async function priceBundles(
  order: Pick<OrderStore, 'get' | 'setLines'>,
  lines: readonly (WantedLine | null)[],
): Promise<(SessionOrder | null)[]> {
  const before = wantedOf(order.get())
  const priced: (SessionOrder | null)[] = []
  for (const line of lines) priced.push(line === null ? null : await priceOf(line, order))
  await order.setLines(before)
  return priced
}

async function priceOf(line: WantedLine, order: Pick<OrderStore, 'setLines'>): Promise<SessionOrder | null> {
  try {
    const { order: asked } = await order.setLines([line])
    return asked.problem === null ? withoutShipping(asked) : null
  } catch {
    return null // withdrawn, or not sold in this currency: the page leaves it out
  }
}

/** Bundles are compared by what the goods cost; how they are sent is chosen later. */
function withoutShipping(order: SessionOrder): SessionOrder {
  const { amount, shippingAmount, shippingDiscount } = order
  return { ...order, amount: amount - shippingAmount + shippingDiscount, shippingAmount: 0, shippingDiscount: 0 }
}

/** The lines that an order was asked for: those that are no gifts. */
function wantedOf(order: Pick<SessionOrder, 'lines'> | null): WantedLine[] {
  const bought = order?.lines.filter(({ promotionId }) => promotionId === null) ?? []
  return bought.map(({ variantId, priceId, quantity }) => ({ variantId, priceId, quantity }))
}
