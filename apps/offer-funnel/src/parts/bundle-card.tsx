import type { JSX } from 'preact'
import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useMoney, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { perPiece } from '../offer/saving-of.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Picture } from './picture.tsx'

interface BundleCardProps {
  bundle: Tillwright.Config['bundles'][number]
  /** What it costs; `null` until that is known. */
  order: SessionOrder | null
  /** What it saves beside single pieces; `null` for nothing. */
  saving: { amount: number; percent: number } | null
  isChosen: boolean
  onChoose: () => void
}

const PICTURES_MAX = 3

/** One bundle to choose. */
export function BundleCard({ bundle, order, saving, isChosen, onChoose }: BundleCardProps): JSX.Element {
  const { product } = useSettings()
  const t = useText()
  const texts = useTexts()
  return (
    <label class={isChosen ? 'bundle chosen' : 'bundle'}>
      <input type="radio" name="bundle" checked={isChosen} onChange={onChoose} />
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
      <BundlePrice pieces={bundle.pieces} order={order} saving={saving} />
    </label>
  )
}

function BundlePrice({
  pieces,
  order,
  saving,
}: Pick<BundleCardProps, 'order' | 'saving'> & { pieces: number }): JSX.Element {
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
