import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api, type ListEntry } from '../../api/client.ts'
import { Copy, Dialog, Input, Select, Time } from '../../design/controls.tsx'
import { Empty } from '../../design/states.tsx'
import { count } from '../../language/values.ts'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Decision } from '../../forms/decision.tsx'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'
import { furtherOf, useProcessors } from './words.ts'

const columns = (): readonly Column<ListEntry<'paymentFlows.search'>>[] => [
  { title: text('name'), cell: ({ name }) => name },
  {
    title: text('processors'),
    isNarrow: true,
    isNumber: true,
    rank: 2,
    cell: (flow) => count(flow.processorConfigs.length + flow.fallbackProcessorConfigs.length),
  },
  { title: text('further'), cell: (flow) => text(`further.${furtherOf(flow)}`) },
  { title: text('threeds'), isNarrow: true, rank: 3, cell: ({ threeDsEnabled }) => shared(`filter.${threeDsEnabled}`) },
  { title: text('created'), isNarrow: true, rank: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The list of payment flows. */
export function Flows() {
  return (
    <ListPage
      list="paymentFlows.search"
      title={text('title')}
      columns={columns()}
      pathOf={({ id }) => `/flows/${id}`}
      create={{ operation: 'paymentFlows.create', label: text('new'), form: NewFlow }}
      empty={
        <Empty title={text('empty')}>
          <p>{text('emptyHint')}</p>
          <Copy value="tillwright payment-flows create --help" />
        </Empty>
      }
    />
  )
}

/** A new flow begins with one processor; its page has the form for the rest. */
function NewFlow({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const processors = useProcessors()
  const [name, setName] = useState('')
  const [processorId, setProcessor] = useState('')
  const change = useChange(
    async (input: Parameters<typeof api.paymentFlows.create>[0], options) => {
      const { id } = await api.paymentFlows.create(input, options)
      route(`/console/flows/${id}`)
    },
    ['paymentFlows.'],
  )
  const run = () => void change.run({ data: { name, strategy: 'simple', processorConfigs: [{ processorId }] } })
  return (
    <Dialog title={text('new')} onClose={onClose}>
      <Input label={text('name')} maxLength={255} required value={name} onValue={setName} />
      <Select
        label={text('processor')}
        value={processorId}
        options={[
          { value: '', name: text('choose') },
          ...processors.map((each) => ({ value: each.id, name: each.name })),
        ]}
        onValue={setProcessor}
      />
      <Decision
        change={change}
        label={text('new')}
        kind="main"
        disabled={name.trim() === '' || processorId === ''}
        onClose={onClose}
        run={run}
      />
    </Dialog>
  )
}
