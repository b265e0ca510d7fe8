import { useLocation } from 'preact-iso'
import type { ComponentChildren } from 'preact'
import { type ListEntry, type ListName, operationOf } from '../api/client.ts'
import { Bone, Empty, Failure } from '../design/states.tsx'
import { Page } from '../shell/page.tsx'
import { text } from '../shell/text.ts'
import { useEntries } from './entries.ts'
import { ExportCsv } from './export-csv.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useListAddress } from './list-query.ts'
import { SavedViews } from './saved-views.tsx'
import { useRowKeys } from './row-keys.ts'
import { useWindow } from './window.ts'

/** A column of a list. */
export interface Column<Entry> {
  title: string
  cell: (entry: Entry) => ComponentChildren
  /** Numbers stand at the end of their cell. */
  isNumber?: true
  /** Left out on a telephone (`2`), and on a tablet as well (`3`). */
  rank?: 2 | 3
}

interface ListPageProps<Name extends ListName> {
  list: Name
  title: string
  columns: readonly Column<ListEntry<Name>>[]
  /** The address of an entry's own page, below `/console`; without one its rows are not links. */
  pathOf?: (entry: ListEntry<Name>) => string
  actions?: ComponentChildren
  /** What teaches the first thing to do, while the account has none of them. */
  empty: ComponentChildren
}

/** The page of a list: search, filters in the address, views, CSV, and rows that are drawn as far as they are seen. */
export function ListPage<Name extends ListName>({ list, title, columns, pathOf, actions, empty }: ListPageProps<Name>) {
  // Every list is an operation of members.
  const operation = operationOf(list)
  const address = useListAddress(operation)
  const entries = useEntries(list, address.query)
  const isFiltered = Object.keys(address.query).some((name) => name !== 'order')
  const isEmpty = entries.isComplete && entries.entries.length === 0
  return (
    <Page
      title={title}
      actions={
        <>
          <SavedViews list={list} address={address} />
          <ExportCsv list={list} query={address.query} />
          {actions}
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
      {!isEmpty && entries.failure === null && (
        <Rows title={title} columns={columns} {...(pathOf !== undefined && { pathOf })} {...entries} />
      )}
    </Page>
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

/** Rows that wait for their values have the size of rows that have them. */
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
      <caption class="hidden-text">{title}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <tr class="gap" style={{ height: `${before}px` }} aria-hidden="true" />
        {entries.slice(from, until).map((entry, index) => (
          <tr
            key={from + index}
            aria-rowindex={from + index + 2}
            class={from + index === at ? 'at' : ''}
            {...rowProps(from + index)}
          >
            {columns.map((column, place) => (
              <td key={column.title} class={classOf(column)}>
                {place === 0 && pathOf !== undefined ? (
                  <a href={`/console${pathOf(entry)}`}>{column.cell(entry)}</a>
                ) : (
                  column.cell(entry)
                )}
              </td>
            ))}
          </tr>
        ))}
        <tr class="gap" style={{ height: `${after}px` }} aria-hidden="true" />
        {isLoading &&
          Array.from({ length: entries.length === 0 ? WAITING_ROWS : 1 }, (_, index) => (
            <tr key={`waiting-${index}`} class="waiting">
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  <Bone />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function classOf({ isNumber, rank }: Pick<Column<never>, 'isNumber' | 'rank'>): string {
  return `${isNumber === true ? 'number' : ''} ${rank === undefined ? '' : `rank-${rank}`}`
}
