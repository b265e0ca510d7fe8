import { useEffect, useState } from 'preact/hooks'
import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useOrder, usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useSettings } from '../settings/use-settings.ts'
import { isFor } from './bundle-lines.ts'
import { useOffer } from './offer-context.ts'
import { savingOf } from './saving-of.ts'

/** A bundle with its price. */
export interface PricedBundle {
  bundle: Tillwright.Config['bundles'][number]
  /** The priced order; `null` until it is known. */
  order: SessionOrder | null
  /** Saving compared with single pieces, or `null`. */
  saving: ReturnType<typeof savingOf>
  isChosen: boolean
  choose(): void
}

/** The bundles that can be had. */
export interface Bundles {
  /** Empty when nothing can be had. */
  bundles: readonly PricedBundle[]
  isWaiting: boolean
  /** Makes the chosen bundle the order of the session, unless it is. */
  take(): Promise<void>
  /** Asks again what they cost. */
  priceAgain(): void
}

/** The bundles of the settings at the platform's own prices, of which one is chosen: the one in the order, else the recommended one. */
export function useBundles(): Bundles {
  const settings = useSettings()
  const page = usePage()
  const offer = useOffer()
  const { status, orders } = useStore(offer)
  const order = useOrder()
  const [picked, setPicked] = useState(-1)
  useEffect(() => void offer.price(settings), [settings])

  const all = settings.bundles.map((bundle, index) => ({ bundle, index, order: orders[index] ?? null }))
  const there = all.filter((each) => status === 'waiting' || each.order !== null)
  const priced = all.flatMap((each) => (each.order ? [{ ...each.bundle, amount: each.order.amount }] : []))
  // While prices are asked for, the order is now this and now that bundle.
  const ordered = there.find(({ bundle }) => status === 'ready' && isFor(order, offer.lineOf(bundle, settings)))
  const recommended = there.find(({ bundle }) => bundle.isRecommended)
  const chosen = there.find(({ index }) => index === picked) ?? ordered ?? recommended ?? there[0]
  return {
    isWaiting: status === 'waiting',
    bundles: there.map((each) => ({
      ...each,
      saving: each.order && savingOf({ ...each.bundle, amount: each.order.amount }, priced),
      isChosen: each === chosen,
      choose() {
        setPicked(each.index)
        page.track('bundle_chosen', { pieces: each.bundle.pieces })
      },
    })),
    async take() {
      const line = chosen ? offer.lineOf(chosen.bundle, settings) : null
      if (line !== null && !isFor(page.order.get(), line)) await page.order.setLines([line])
    },
    priceAgain: () => void offer.priceAgain(settings),
  }
}
