import type { JSX } from 'preact'
import { useMoney, usePage, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { useBundles } from '../offer/use-bundles.ts'
import { AdvanceButton } from '../parts/advance-button.tsx'
import { BundleCard } from '../parts/bundle-card.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { Icon } from '../parts/icon.tsx'
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
