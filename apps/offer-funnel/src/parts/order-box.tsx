import type { JSX } from 'preact'
import { useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import { useFunnel, useTexts } from '../flow/funnel-context.ts'
import { useSettings } from '../settings/use-settings.ts'
import { OrderSummary } from './order-summary.tsx'
import { Picture } from './picture.tsx'
import { PromotionCode } from './promotion-code.tsx'

/** The order to be paid, with a link back to the choice of bundles. */
export function OrderBox(): JSX.Element {
  const { product } = useSettings()
  const order = useOrder()
  const { data } = usePage()
  const { revisit } = useFunnel()
  const texts = useTexts()
  const offerUrl = `${data.basePath.replace(/\/$/, '')}/offer`
  return (
    <aside class="order-box">
      <div class="order-head">
        <h2>{texts.yourOrder}</h2>
        <a
          href={offerUrl}
          onClick={(event) => {
            event.preventDefault()
            void revisit('offer').then((isThere) => isThere || location.assign(offerUrl))
          }}
        >
          {texts.change}
        </a>
      </div>
      <Picture path={product.image} />
      {order === null || order.lines.length === 0 ? <p class="shimmer" /> : <OrderSummary order={order} />}
      {order?.status === 'open' && <PromotionCode />}
    </aside>
  )
}
