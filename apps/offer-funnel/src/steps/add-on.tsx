import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { usePage, useText } from '@tillwright/plugin-sdk/preact'
import { useFunnel } from '../flow/funnel-context.ts'
import { useAddOn } from '../offer/use-add-on.ts'
import { AdvanceButton } from '../parts/advance-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { OneClick } from '../parts/one-click.tsx'
import { Picture } from '../parts/picture.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** Something beside the order, for one click. */
export function Upsell(): JSX.Element {
  return <AddOn addOn={useSettings().upsell} />
}

/** Something smaller, for whoever did not want that. */
export function Downsell(): JSX.Element {
  return <AddOn addOn={useSettings().downsell} />
}

function AddOn({ addOn }: { addOn: Tillwright.Config['upsell'] }): JSX.Element {
  const t = useText()
  const page = usePage()
  const { next } = useFunnel()
  const offered = useAddOn(addOn)
  useTitle(t(addOn.headline))
  useEffect(() => {
    if (offered.status === 'passed') next().catch(() => {}) // the way on stands below as well
  }, [offered.status])
  return (
    <section class="add-on">
      <div class="add-on-picture">
        <Picture path={addOn.image} isFirst />
      </div>
      <div class="add-on-words">
        <p class="eyebrow">{t(addOn.eyebrow)}</p>
        <h1 tabIndex={-1}>{t(addOn.headline)}</h1>
        <p class="lead">{t(addOn.text)}</p>
        <ul class="points">
          {addOn.points.map((point, index) => (
            <li key={index}>
              <Icon name="check" />
              {t(point)}
            </li>
          ))}
        </ul>
        <OneClick offered={offered} />
        <AdvanceButton class="link decline" before={async () => page.track('add_on_declined')}>
          {t(addOn.decline)}
        </AdvanceButton>
      </div>
    </section>
  )
}
