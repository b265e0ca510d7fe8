import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useOrder, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { isFor } from '../offer/bundle-lines.ts'
import { useOffer } from '../offer/offer-context.ts'
import { savingOf } from '../offer/saving-of.ts'
import { AdvanceButton } from '../parts/advance-button.tsx'
import { BundleCard } from '../parts/bundle-card.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { Icon } from '../parts/icon.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** How many: bundles at the platform's own prices. */
export function Offer(): JSX.Element {
  const settings = useSettings()
  const { bundles, deadline, offer: words } = settings
  const page = usePage()
  const offer = useOffer()
  const { status, orders } = useStore(offer)
  const order = useOrder()
  const t = useText()
  const texts = useTexts()
  const [picked, setPicked] = useState<number | null>(null)
  const ordered = bundles.findIndex((bundle) => isFor(order, offer.lineOf(bundle, settings)))
  const recommended = bundles.findIndex(({ isRecommended }) => isRecommended)
  const chosen =
    [picked, status === 'ready' && picked === null ? ordered : null, recommended, 0].find(
      (index) => index !== null && index >= 0,
    ) ?? 0
  const best = orders[chosen] ?? null
  useTitle(t(words.headline))
  useEffect(() => void offer.price(settings), [settings])

  if (status === 'ready' && orders.every((each) => each === null)) return <Unavailable />
  const priced = pricesOf(bundles, orders)
  return (
    <section class="narrow offer">
      <h1 tabIndex={-1}>{t(words.headline)}</h1>
      <p class="lead">{t(words.subline)}</p>
      <Countdown deadline={deadline} order={best} onEnd={() => void offer.priceAgain(settings)} />
      <fieldset class="bundles" aria-busy={status === 'waiting'}>
        <legend class="unseen">{texts.bundles}</legend>
        {bundles.map((bundle, index) => {
          const own = orders[index] ?? null
          if (status === 'ready' && own === null) return null
          const saving = own && savingOf({ pieces: bundle.pieces, amount: own.amount }, priced)
          return (
            <BundleCard
              key={index}
              bundle={bundle}
              order={own}
              saving={saving}
              isChosen={index === chosen}
              onChoose={() => {
                setPicked(index)
                page.track('bundle_chosen', { pieces: bundle.pieces })
              }}
            />
          )
        })}
      </fieldset>
      <AdvanceButton class="button wide" isDisabled={best === null} before={() => order_(chosen)}>
        {t(words.cta)}
        {best !== null && <span class="amount">{page.money(best.amount, best.currency)}</span>}
      </AdvanceButton>
      <p class="reassurance">
        <Icon name="return" />
        {t(words.guarantee)}
      </p>
    </section>
  )

  /** Makes the chosen bundle the order, unless it is. */
  async function order_(index: number): Promise<void> {
    const bundle = bundles[index]
    const line = bundle ? offer.lineOf(bundle, settings) : null
    if (line !== null && !isFor(page.order.get(), line)) await page.order.setLines([line])
  }
}

function pricesOf(bundles: readonly { pieces: number }[], orders: readonly (SessionOrder | null)[]) {
  return bundles.flatMap(({ pieces }, index) => {
    const order = orders[index]
    return order ? [{ pieces, amount: order.amount }] : []
  })
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
