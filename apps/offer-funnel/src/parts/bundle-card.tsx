import type { JSX } from 'preact'
import { useMoney, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { perPiece } from '../offer/saving-of.ts'
import type { PricedBundle } from '../offer/use-bundles.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Picture } from './picture.tsx'

const PICTURES_MAX = 3

/** One bundle to choose. */
export function BundleCard({ priced }: { priced: PricedBundle }): JSX.Element {
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
