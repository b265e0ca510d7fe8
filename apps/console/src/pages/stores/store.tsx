import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Input, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Check, CurrencySelect } from '../../forms/fields.tsx'
import { ArchiveButton, type Revision, SaveDialog, useTyped } from '../../forms/save.tsx'
import { text as forms } from '../../forms/text.ts'
import { FlowLink } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { Hooks } from './hooks.tsx'
import { Shipping } from './shipping.tsx'
import './stores.css'
import { FlowSelect } from './stores.tsx'
import { text } from './text.ts'
import { describeStore, type StoreDetails } from './words.ts'

/** One store: its currencies, its payment flow, what it ships with and what it asks your server. */
export function Store() {
  const { id = '' } = useRoute().params
  const read = useRead('stores.get', { storeId: id })
  return <LoadedPage read={read}>{(store) => <StorePage store={store} />}</LoadedPage>
}

const affects = ['stores.']

function StorePage({ store }: { store: StoreDetails }) {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const { id: storeId, name, archived } = store
  return (
    <Page
      title={name}
      note={
        <>
          {archived && <Status of="archived" />} <Copy value={storeId} />
        </>
      }
      actions={
        <>
          {may('stores.archive') && (
            <ArchiveButton
              of={store}
              effect={{ archive: text('archive.effect'), unarchive: text('unarchive.effect') }}
              archive={(input, options) => api.stores.archive({ storeId, ...input }, options)}
              unarchive={(input, options) => api.stores.unarchive({ storeId, ...input }, options)}
              describe={describeStore}
              affects={affects}
            />
          )}
          {may('stores.update') && <Button onClick={() => setOpen(true)}>{forms('edit')}</Button>}
        </>
      }
    >
      <div class="columns">
        <div class="stack">
          {may('shippingOptions.list') && <Shipping storeId={storeId} />}
          {may('hooks.list') && <Hooks storeId={storeId} />}
          <ApiCall operation="stores.get" input={{ storeId }} />
        </div>
        <StoreFacts store={store} />
      </div>
      {isOpen && <EditStore store={store} onClose={() => setOpen(false)} />}
    </Page>
  )
}

function StoreFacts({ store }: { store: StoreDetails }) {
  const may = useMay()
  const { id, selectedPaymentFlowId: flowId, createdAt, updatedAt } = store
  return (
    <div class="stack">
      <Section title={text('facts')}>
        <Facts
          of={[
            [text('baseCurrency'), store.baseCurrency],
            [text('chargeCurrencies'), store.chargeCurrencies ?? text('anyCurrency')],
            [text('presentmentCurrencies'), store.presentmentCurrencies],
            [text('flow'), flowId === null ? text('noFlow') : <FlowLink key="flow" id={flowId} />],
            [text('customThankYouUrl'), store.customThankYouUrl || null],
            [text('multiple'), shared(`filter.${store.multipleSubscriptionsPerCustomerEnabled}`)],
            [text('created'), <Time key="created" at={createdAt} />],
            [text('changed'), <Time key="changed" at={updatedAt} />],
          ]}
        />
      </Section>
      {may('products.list') && <a href={`/console/products?storeId=${id}`}>{text('products')}</a>}
    </div>
  )
}

const lines = ['chargeCurrencies', 'presentmentCurrencies', 'customThankYouUrl'] as const

function EditStore({ store, onClose }: { store: StoreDetails; onClose: () => void }) {
  const { base, typed, setTyped, onTake } = useTyped(store, typedStore)
  const sent = readStore(typed)
  const change = useChange(
    ({ revision }: Revision<StoreDetails>, options) =>
      api.stores.update({ storeId: store.id, ...sent, revision }, options),
    affects,
  )
  const set = (fields: Partial<typeof typed>) => setTyped({ ...typed, ...fields })
  return (
    <SaveDialog
      effect={text('edit.effect')}
      change={change}
      base={base}
      mine={{ ...base, ...sent }}
      describe={describeStore}
      disabled={typed.name.trim() === ''}
      onClose={onClose}
      onTake={onTake}
    >
      <Input label={text('name')} maxLength={255} required value={typed.name} onValue={(name) => set({ name })} />
      <CurrencySelect
        label={text('baseCurrency')}
        value={typed.baseCurrency}
        onValue={(baseCurrency) => set({ baseCurrency })}
      />
      {lines.map((field) => (
        <Input
          key={field}
          label={text(field)}
          hint={text(`${field}Hint`)}
          value={typed[field]}
          onValue={(value) => set({ [field]: value })}
        />
      ))}
      <FlowSelect value={typed.selectedPaymentFlowId} onValue={(id) => set({ selectedPaymentFlowId: id })} />
      <Check
        label={text('multiple')}
        isChecked={typed.multipleSubscriptionsPerCustomerEnabled}
        onChange={(isChecked) => set({ multipleSubscriptionsPerCustomerEnabled: isChecked })}
      />
    </SaveDialog>
  )
}

function typedStore(store: StoreDetails) {
  return {
    name: store.name,
    baseCurrency: store.baseCurrency ?? '',
    chargeCurrencies: store.chargeCurrencies ?? '',
    presentmentCurrencies: store.presentmentCurrencies ?? '',
    customThankYouUrl: store.customThankYouUrl ?? '',
    selectedPaymentFlowId: store.selectedPaymentFlowId ?? '',
    multipleSubscriptionsPerCustomerEnabled: store.multipleSubscriptionsPerCustomerEnabled,
  }
}

/** Converts form values into an update; empty fields become `null`, which clears them. */
function readStore({ name, multipleSubscriptionsPerCustomerEnabled, ...typed }: ReturnType<typeof typedStore>) {
  return {
    name,
    multipleSubscriptionsPerCustomerEnabled,
    baseCurrency: typed.baseCurrency || null,
    chargeCurrencies: typed.chargeCurrencies.trim() || null,
    presentmentCurrencies: typed.presentmentCurrencies.trim() || null,
    customThankYouUrl: typed.customThankYouUrl.trim() || null,
    selectedPaymentFlowId: typed.selectedPaymentFlowId || null,
  }
}
