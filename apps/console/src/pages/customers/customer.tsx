import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { api, type ListEntry } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { Address } from '../../objects/address.tsx'
import { Metadata } from '../../forms/metadata.tsx'
import { customerName, StoreLink } from '../../objects/names.tsx'
import { RELATED_SHOWN, RelatedList, RelatedPayments, ToAll } from '../../objects/related.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { orderTitle } from '../../shell/titles.ts'
import { Status } from '../../shell/status.tsx'
import { ArchiveDialog, EditDialog } from './actions.tsx'
import { Cards } from './cards.tsx'
import { Privacy } from './privacy.tsx'
import { text } from './text.ts'
import './customers.css'

type CustomerDetails = ListEntry<'customers.list'>

/** One customer: who it is, the cards, and what was bought. */
export function Customer() {
  const { id = '' } = useRoute().params
  const read = useRead('customers.get', { customerId: id })
  return <LoadedPage read={read}>{(customer) => <CustomerPage customer={customer} />}</LoadedPage>
}

function CustomerPage({ customer }: { customer: CustomerDetails }) {
  const { id: customerId, archived, revision, metadata } = customer
  const may = useMay()
  return (
    <Page
      title={customerName(customer)}
      note={
        <>
          {archived && <Status of="archived" />} <Copy value={customerId} />
        </>
      }
      actions={<Actions customer={customer} />}
    >
      <div class="columns">
        <div class="stack">
          <RelatedPayments title={text('payments')} query={{ customerId }} />
          {may('orders.list') && <Orders customerId={customerId} />}
          {may('subscriptions.list') && <Subscriptions customerId={customerId} />}
          <ApiCall operation="customers.get" input={{ customerId }} />
        </div>
        <div class="stack">
          <Person customer={customer} />
          {may('paymentInstruments.list') && <Cards customerId={customerId} />}
          <Metadata
            of={{ metadata, revision }}
            affects={['customers.']}
            update={
              may('customers.update')
                ? (change, options) => api.customers.update({ customerId, ...change }, options)
                : null
            }
          />
          <Privacy customerId={customerId} />
        </div>
      </div>
    </Page>
  )
}

function Actions({ customer }: { customer: CustomerDetails }) {
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'archive' | null>(null)
  const close = () => setOpen(null)
  const { archived } = customer
  return (
    <>
      {may(archived ? 'customers.unarchive' : 'customers.archive') && (
        <Button onClick={() => setOpen('archive')}>{text(archived ? 'unarchive' : 'archive')}</Button>
      )}
      {may('customers.update') && (
        <Button kind="main" onClick={() => setOpen('edit')}>
          {text('edit')}
        </Button>
      )}
      {open === 'edit' && <EditDialog customer={customer} onClose={close} />}
      {open === 'archive' && <ArchiveDialog customer={customer} onClose={close} />}
    </>
  )
}

function Person({ customer }: { customer: CustomerDetails }) {
  const { email, firstName, lastName, phone, billingAddress, shippingAddress, storeId, createdAt } = customer
  return (
    <Section title={text('details')}>
      <Facts
        of={[
          [text('email'), email || text('unknown')],
          [text('name'), `${firstName} ${lastName}`.trim() || text('unknown')],
          [text('phone'), phone],
          [text('billingAddress'), billingAddress && <Address of={billingAddress} />],
          [text('shippingAddress'), shippingAddress && <Address of={shippingAddress} />],
          [text('store'), <StoreLink id={storeId} />],
          [text('created'), <Time at={createdAt} />],
        ]}
      />
    </Section>
  )
}

function Orders({ customerId }: { customerId: string }) {
  const read = useRead('orders.list', { customerId, limit: RELATED_SHOWN })
  return (
    <Section
      title={text('orders')}
      actions={
        <ToAll of={text('orders')} path={`/orders?customerId=${customerId}`} hasMore={read.data?.hasMore === true} />
      }
    >
      <Loaded read={read}>
        {({ data }) => (
          <RelatedList
            entries={data.map((order) => ({
              id: order.id,
              title: orderTitle(order),
              status: order.status,
              at: order.createdAt,
              path: `/orders/${order.id}`,
            }))}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Subscriptions({ customerId }: { customerId: string }) {
  const read = useRead('subscriptions.list', { customerId, limit: RELATED_SHOWN })
  return (
    <Section
      title={text('subscriptions')}
      actions={
        <ToAll
          of={text('subscriptions')}
          path={`/subscriptions?customerId=${customerId}`}
          hasMore={read.data?.hasMore === true}
        />
      }
    >
      <Loaded read={read}>
        {({ data }) => (
          <RelatedList
            entries={data.map(({ id, name, status, createdAt }) => ({
              id,
              title: name,
              status,
              at: createdAt,
              path: `/subscriptions/${id}`,
            }))}
          />
        )}
      </Loaded>
    </Section>
  )
}
