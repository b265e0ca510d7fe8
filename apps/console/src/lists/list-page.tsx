import { useLocation } from 'preact-iso'
import type { ComponentChildren } from 'preact'
import { type ListEntry, type ListName, type OperationName, operationOf } from '../api/client.ts'
import { Button } from '../design/controls.tsx'
import { Empty, Failure } from '../design/states.tsx'
import { Payers } from '../objects/payers.tsx'
import { ApiCallMenu } from '../shell/api-call.tsx'
import { useAsked } from '../shell/asked.ts'
import { Page } from '../shell/page.tsx'
import { useMay } from '../shell/session.ts'
import { text } from '../shell/text.ts'
import { Cells, type Column, Head, WaitingRows } from './columns.tsx'
import { useEntries } from './entries.ts'
import { ExportCsv } from './export-csv.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useListAddress } from './list-query.ts'
import { SavedViews } from './saved-views.tsx'
import { useRowKeys } from './row-keys.ts'
import { useWindow } from './window.ts'

interface ListPageProps<Name extends ListName> {
  list: Name
  title: string
  columns: readonly Column<ListEntry<Name>>[]
  /** The address of an entry's own page, below `/console`; without one its rows are not links. */
  pathOf?: (entry: ListEntry<Name>) => string
  /** The customer of an entry, whom a `Payer` in its cells names. */
  customerOf?: (entry: ListEntry<Name>) => string
  actions?: ComponentChildren
  /** How soon it is read again, where entries come without an event. */
  again?: number
  /** What a member makes here, where the role allows the operation. */
  create?: Creation
  /** What teaches the first thing to do, while the account has none of them. */
  empty: ComponentChildren
}

interface Creation {
  operation: OperationName
  label: string
  form: (props: { onClose: () => void }) => ComponentChildren
}

/** The page of a list: search, filters in the address, views, CSV, and rows that are drawn as far as they are seen. */
export function ListPage<Name extends ListName>(props: ListPageProps<Name>) {
  const { list, title, columns, pathOf, customerOf, actions, again, create, empty } = props
  // Every list is an operation of members.
  const operation = operationOf(list)
  const address = useListAddress(operation)
  const entries = useEntries(list, address.query, again)
  const isFiltered = Object.keys(address.query).some((name) => name !== 'order')
  const isEmpty = entries.isComplete && entries.entries.length === 0
  return (
    <Page
      title={title}
      isWide
      actions={
        <>
          <SavedViews list={list} address={address} />
          <ExportCsv list={list} query={address.query} />
          <ApiCallMenu operation={list} input={address.query} />
          {actions}
          {create !== undefined && <Create {...create} />}
        </>
      }
    >
      <FilterBar operation={operation} address={address} />
      {entries.failure !== null && <Failure failure={entries.failure} retry={entries.retry} />}
      {isEmpty && isFiltered && (
        <Empty title={text('list.none')}>
          <p>{text('list.noneHint')}</p>
        </Empty>
      )}
      {isEmpty && !isFiltered && empty}
      {!isEmpty && (entries.failure === null || entries.entries.length > 0) && (
        <Payers
          pages={customerOf === undefined ? [] : entries.pages.map((page) => page.map(customerOf))}
          storeId={address.query['storeId']}
        >
          <Rows title={title} columns={columns} {...(pathOf !== undefined && { pathOf })} {...entries} />
        </Payers>
      )}
    </Page>
  )
}

function Create({ operation, label, form: Form }: Creation) {
  const isOffered = useMay()(operation)
  const [open, setOpen] = useAsked({ new: isOffered })
  if (!isOffered) return null
  return (
    <>
      <Button kind="main" icon="plus" onClick={() => setOpen('new')}>
        {label}
      </Button>
      {open === 'new' && <Form onClose={() => setOpen(null)} />}
    </>
  )
}

interface RowsProps<Entry> {
  title: string
  columns: readonly Column<Entry>[]
  pathOf?: (entry: Entry) => string
  entries: readonly Entry[]
  isLoading: boolean
  isComplete: boolean
  more: () => void
}

const WAITING_ROWS = 12

function Rows<Entry>({ title, columns, pathOf, entries, isLoading, isComplete, more }: RowsProps<Entry>) {
  const { route } = useLocation()
  const open = (entry: Entry | undefined) => {
    if (entry !== undefined && pathOf !== undefined) route(`/console${pathOf(entry)}`)
  }
  const { body, from, until, before, after } = useWindow(entries.length, isComplete ? null : more)
  const { at, rowProps } = useRowKeys(entries.length, (index) => open(entries[index]))
  return (
    <table class="list" aria-busy={isLoading} aria-rowcount={isComplete ? entries.length + 1 : -1}>
      <Head title={title} columns={columns} />
      <tbody ref={body}>
        <tr class="gap" style={{ height: `${before}px` }} aria-hidden="true" />
        {entries.slice(from, until).map((entry, index) => (
          <tr
            key={from + index}
            aria-rowindex={from + index + 2}
            class={from + index === at ? 'at' : ''}
            {...rowProps(from + index)}
          >
            <Cells columns={columns} entry={entry} pathOf={pathOf} />
          </tr>
        ))}
        <tr class="gap" style={{ height: `${after}px` }} aria-hidden="true" />
        {isLoading && <WaitingRows columns={columns} count={entries.length === 0 ? WAITING_ROWS : 1} />}
      </tbody>
    </table>
  )
}
