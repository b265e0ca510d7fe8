import { useRoute } from 'preact-iso'
import type { ListEntry } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Empty, Loaded } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { Table } from '../../lists/table.tsx'
import { whatRemains, whyKept } from '../../privacy/receipt.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'
import './team.css'

type Erased = ListEntry<'erasures.list'>

const columns = (): readonly Column<Erased>[] => [
  { title: text('customer'), cell: ({ customerId }) => <code>{customerId}</code> },
  { title: text('state'), isNarrow: true, cell: ({ status }) => <Status of={status} /> },
  { title: text('asked'), isNarrow: true, rank: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: text('finished'),
    isNarrow: true,
    rank: 3,
    cell: ({ finishedAt }) => finishedAt && <Time at={finishedAt} />,
  },
]

/** The customers who were erased. */
export function Erasures() {
  return (
    <ListPage
      list="erasures.list"
      title={text('erasures')}
      columns={columns()}
      pathOf={({ id }) => `/erasures/${id}`}
      empty={
        <Empty title={text('noErasures')}>
          <p>{text('noErasuresHint')}</p>
        </Empty>
      }
    />
  )
}

type Kind = NonNullable<Erased['receipt']>[number]

const kinds = (): readonly Column<Kind>[] => [
  { title: text('data'), cell: ({ data }) => data },
  { title: text('found'), isNumber: true, cell: ({ found }) => found },
  { title: text('erasedCount'), isNumber: true, cell: ({ erased }) => erased },
  { title: text('kept'), rank: 2, cell: ({ kept }) => kept.flatMap(({ fields }) => fields).join(', ') },
]

/** One erasure with its receipt. */
export function Erasure() {
  const { id = '' } = useRoute().params
  const read = useRead('erasures.get', { erasureId: id })
  return (
    <Loaded read={read}>
      {({ customerId, status, createdAt, finishedAt, receipt, remains }) => (
        <Page
          title={text('erasure')}
          note={
            <>
              <Status of={status} /> <Copy value={id} />
            </>
          }
        >
          <div class="stack">
            <Section title={text('details')}>
              <Facts
                of={[
                  [text('customer'), <Copy value={customerId} />],
                  [text('asked'), <Time at={createdAt} />],
                  [text('finished'), finishedAt && <Time at={finishedAt} />],
                ]}
              />
            </Section>
            {receipt !== null && <Table title={text('receipt')} columns={kinds()} rows={receipt} idOf={dataOf} />}
            {receipt
              ?.flatMap(({ kept }) => kept)
              .filter(isFirst)
              .map((each) => (
                <p key={each.code}>{whyKept(each)}</p>
              ))}
            {remains.map((each) => (
              <p key={each.code}>{whatRemains(each)}</p>
            ))}
            <ApiCall operation="erasures.get" input={{ erasureId: id }} />
          </div>
        </Page>
      )}
    </Loaded>
  )
}

function dataOf({ data }: Kind): string {
  return data
}

function isFirst({ code }: { code: string }, index: number, all: readonly { code: string }[]): boolean {
  return all.findIndex((each) => each.code === code) === index
}
