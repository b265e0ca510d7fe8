import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, useOrder, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AdvanceButton } from '../flow/advance-button.tsx'
import { useTexts } from '../flow/funnel-context.ts'
import { isFor } from '../offer/bundle-lines.ts'
import { Countdown } from '../offer/countdown.tsx'
import { useOffer } from '../offer/offer-context.ts'
import { perPiece, savingOf } from '../offer/saving-of.ts'
import { Icon } from '../parts/icon.tsx'
import { Picture } from '../parts/picture.tsx'
import { Recurring } from '../parts/recurring.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** How many: bundles at the platform's own prices. */
export function Offer(): JSX.Element {
  const { deadline, offer: words } = useSettings()
  const { bundles, isWaiting, take, priceAgain } = useBundles()
  const money = useMoney()
  const t = useText()
  const texts = useTexts()
  const order = bundles.find(({ isChosen }) => isChosen)?.order ?? null
  useTitle(t(words.headline))
  if (bundles.length === 0) return <Unavailable />
  return (
    <section class="narrow offer">
      <h1 tabIndex={-1}>{t(words.headline)}</h1>
      <p class="lead">{t(words.subline)}</p>
      <Countdown deadline={deadline} order={order} onEnd={priceAgain} />
      <fieldset class="bundles" aria-busy={isWaiting}>
        <legend class="unseen">{texts.bundles}</legend>
        {bundles.map((each, index) => (
          <BundleCard key={index} priced={each} />
        ))}
      </fieldset>
      <AdvanceButton class="button wide" isDisabled={order === null} before={take}>
        {t(words.cta)}
        {order !== null && <span class="amount">{money(order.amount, order.currency)}</span>}
      </AdvanceButton>
      <p class="reassurance">
        <Icon name="return" />
        {t(words.guarantee)}
      </p>
    </section>
  )
}

function Unavailable(): JSX.Element {
  const texts = useTexts()
  const { isPreview } = usePage()
  return (
    <section class="narrow">
      <h1 tabIndex={-1}>{texts.unavailable}</h1>
      {isPreview && <p>{texts.unavailablePreview}</p>}
    </section>
  )
}

const PICTURES_MAX = 3

/** One bundle to choose. */
function BundleCard({ priced }: { priced: PricedBundle }): JSX.Element {
  const { bundle, isChosen, choose } = priced
  const { product } = useSettings()
  const t = useText()
  const texts = useTexts()
  return (
    <label class={isChosen ? 'bundle chosen' : 'bundle'}>
      <input type="radio" name="bundle" checked={isChosen} onChange={choose} />
      <span class="bundle-pictures">
        {Array.from({ length: Math.min(bundle.pieces, PICTURES_MAX) }, (_, index) => (
          <Picture key={index} path={product.image} />
        ))}
      </span>
      <span class="bundle-words">
        <strong>{t(bundle.label)}</strong>
        <span class="muted">{t(bundle.note)}</span>
        {bundle.isRecommended && <span class="badge">{texts.recommended}</span>}
      </span>
      <BundlePrice {...priced} />
    </label>
  )
}

function BundlePrice({ bundle: { pieces }, order, saving }: PricedBundle): JSX.Element {
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  if (order === null) return <span class="bundle-price shimmer" />
  const { amount, currency } = order
  return (
    <span class="bundle-price">
      <strong>{money(amount, currency)}</strong>
      <Recurring order={order} />
      {pieces > 1 && (
        <span class="muted">{t(texts.perPiece, { amount: money(perPiece({ pieces, amount }), currency) })}</span>
      )}
      {saving !== null && (
        <span class="saving">
          {t(texts.saving, { amount: money(saving.amount, currency), percent: saving.percent })}
        </span>
      )}
    </span>
  )
}

/** A bundle with its price. */
interface PricedBundle {
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
function useBundles(): Bundles {
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
