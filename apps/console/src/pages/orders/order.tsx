import { useRoute } from 'preact-iso'
import { api, type ListEntry } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { money } from '../../language/values.ts'
import { Address } from '../../objects/address.tsx'
import { Metadata } from '../../forms/metadata.tsx'
import { HookAnswers } from '../../objects/hook-answers.tsx'
import { leftOutWords, WhyLeftOut } from '../../objects/left-out.tsx'
import { CustomerLink, StoreLink } from '../../objects/names.tsx'
import { RelatedPayments } from '../../objects/related.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { orderTitle } from '../../shell/titles.ts'
import { Lines } from './lines.tsx'
import { text } from './text.ts'
import '../../objects/objects.css'
import './orders.css'

type OrderDetails = ListEntry<'orders.list'>

/** One order: what was bought at which price, by whom, and its payments. */
export function Order() {
  const { id = '' } = useRoute().params
  const read = useRead('orders.get', { orderId: id })
  return <LoadedPage read={read}>{(order) => <OrderPage order={order} />}</LoadedPage>
}

function OrderPage({ order }: { order: OrderDetails }) {
  const { id: orderId, currency, status, metadata, revision, isPreview } = order
  const may = useMay()
  return (
    <Page
      title={orderTitle(order)}
      note={
        <>
          <Status of={status} /> <Copy value={orderId} />
        </>
      }
    >
      {isPreview && <p class="remark">{text('preview')}</p>}
      <div class="columns">
        <div class="stack">
          <Lines order={order} />
          <Promotions order={order} />
          {order.hooks.length > 0 && (
            <Section title={text('hooks')}>
              <HookAnswers of={order.hooks} currency={currency} />
            </Section>
          )}
          <ApiCall operation="orders.get" input={{ orderId }} />
        </div>
        <div class="stack">
          <Details order={order} />
          <Buyer order={order} />
          <RelatedPayments title={text('payments')} query={{ orderId }} />
          <Metadata
            of={{ metadata, revision }}
            affects={['orders.']}
            update={
              may('orders.update') ? (change, options) => api.orders.update({ orderId, ...change }, options) : null
            }
          />
        </div>
      </div>
    </Page>
  )
}

function Details({ order: { customerId, storeId, shippingOption, createdAt, paidAt } }: { order: OrderDetails }) {
  return (
    <Section title={text('details')}>
      <Facts
        of={[
          [text('customer'), <CustomerLink id={customerId} />],
          [text('store'), <StoreLink id={storeId} />],
          [text('shippingOption'), shippingOption?.name ?? null],
          [text('created'), <Time at={createdAt} />],
          [text('paid'), paidAt && <Time at={paidAt} />],
        ]}
      />
    </Section>
  )
}

/** The buyer as entered with the order, which the customer's own page may have changed since. */
function Buyer({ order: { buyer } }: { order: OrderDetails }) {
  if (buyer === null) return null
  const { email, firstName, lastName, phone, billingAddress, shippingAddress } = buyer
  return (
    <Section title={text('buyer')}>
      <Facts
        of={[
          [text('email'), email || null],
          [text('name'), `${firstName} ${lastName}`.trim() || null],
          [text('phone'), phone],
          [text('billingAddress'), billingAddress && <Address of={billingAddress} />],
          [text('shippingAddress'), shippingAddress && <Address of={shippingAddress} />],
        ]}
      />
    </Section>
  )
}

/** The promotions of the order, and why others were left out. */
function Promotions({ order: { promotions, currency } }: { order: OrderDetails }) {
  const { applied, leftOut } = promotions
  if (applied.length + leftOut.length === 0) return null
  return (
    <Section title={text('promotions')}>
      <ul class="entries">
        {applied.map(({ promotionId, name, code, saving }) => (
          <li key={promotionId}>
            <a href={`/console/promotions/${promotionId}`}>{name}</a> {code !== null && <code>{code}</code>}
            <span class="end">{money(-saving, currency)}</span>
          </li>
        ))}
        {leftOut.map((left) => (
          <li key={left.promotionId}>
            <a href={`/console/promotions/${left.promotionId}`}>{left.name}</a>{' '}
            {left.code !== null && <code>{left.code}</code>}
            <span class="end hint">{leftOutWords(left)}</span>
            <WhyLeftOut left={left} applied={applied} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
