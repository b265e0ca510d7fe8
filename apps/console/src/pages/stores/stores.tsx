import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Copy, Dialog, Input, Select, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { Check, CurrencySelect } from '../../forms/fields.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { FlowLink } from '../../objects/names.tsx'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'
import { useFlows } from './words.ts'

const columns = (): readonly Column<ListEntry<'stores.list'>>[] => [
  { title: text('name'), cell: ({ name }) => name },
  { title: text('baseCurrency'), isNarrow: true, cell: ({ baseCurrency }) => baseCurrency ?? '' },
  {
    title: text('flow'),
    rank: 2,
    cell: ({ selectedPaymentFlowId: id, archived }) =>
      archived ? <Status of="archived" /> : id === null ? '' : <FlowLink id={id} />,
  },
  { title: text('store'), rank: 3, cell: ({ id }) => <code>{id}</code> },
  { title: text('created'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of stores. */
export function Stores() {
  return (
    <ListPage
      list="stores.list"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/stores/${id}`}
      create={{ operation: 'stores.create', label: text('new'), form: NewStore }}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright stores create --help" />
        </Empty>
      }
    />
  )
}

function NewStore({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const [name, setName] = useState('')
  const [baseCurrency, setCurrency] = useState('')
  const [selectedPaymentFlowId, setFlow] = useState('')
  const [createDemoProducts, setDemo] = useState(false)
  const change = useChange(
    async (input: Parameters<typeof api.stores.create>[0], options) => {
      const { id } = await api.stores.create(input, options)
      route(`/console/stores/${id}`)
    },
    ['stores.'],
  )
  const run = () =>
    void change.run({
      name,
      createDemoProducts,
      baseCurrency: baseCurrency || null,
      selectedPaymentFlowId: selectedPaymentFlowId || null,
    })
  return (
    <Dialog title={text('new')} onClose={onClose}>
      <Input label={text('name')} maxLength={255} required value={name} onValue={setName} />
      <CurrencySelect label={text('baseCurrency')} value={baseCurrency} onValue={setCurrency} />
      <FlowSelect value={selectedPaymentFlowId} onValue={setFlow} />
      <Check label={text('demo')} isChecked={createDemoProducts} onChange={setDemo} />
      <Decision
        change={change}
        label={text('new')}
        kind="main"
        disabled={name.trim() === '' || baseCurrency === ''}
        onClose={onClose}
        run={run}
      />
    </Dialog>
  )
}

/** A field for the payment flow of a store, or none. One that is not among the first is kept by its id. */
export function FlowSelect({ value, onValue }: { value: string; onValue: (paymentFlowId: string) => void }) {
  const flows = useFlows()
  const isListed = value === '' || flows.some(({ id }) => id === value)
  return (
    <Select
      label={text('flow')}
      value={value}
      options={[
        { value: '', name: text('noFlow') },
        ...flows.map((each) => ({ value: each.id, name: each.name })),
        ...(isListed ? [] : [{ value, name: value }]),
      ]}
      onValue={onValue}
    />
  )
}
