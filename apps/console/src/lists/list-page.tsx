import { useLocation } from 'preact-iso'
import type { ComponentChildren, RefObject } from 'preact'
import { type ListEntry, type ListName, type OperationName, operationOf } from '../api/client.ts'
import { Button, Input, Menu } from '../design/controls.tsx'
import { Empty, Failure } from '../design/states.tsx'
import { Payers } from '../objects/payers.tsx'
import { ApiCallMenu } from '../shell/api-call.tsx'
import { useAsked } from '../shell/asked.ts'
import { Page } from '../shell/page.tsx'
import { useMay, useSession } from '../shell/session.ts'
import { text } from '../shell/text.ts'
import { Cells, type Column, Head, WaitingRows } from './columns.tsx'
import { useEntries, type ListQuery } from './entries.ts'
import { ExportCsv } from './export-csv.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useListAddress, type ListAddress } from './list-query.ts'
import { useRowKeys } from './row-keys.ts'
import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
import { Icon } from '../design/icon.tsx'

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
  /** Button and form that create an entry, where the member's role allows the operation. */
  create?: Creation
  /** Empty state, which teaches the first step while the account has no entries. */
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
      {entries.moreFailure !== null && <Failure failure={entries.moreFailure} retry={entries.retryMore} />}
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

/** The rows of a long list that are drawn: those in sight, and some around them. */
interface Window {
  body: RefObject<HTMLTableSectionElement | null>
  /** The first row that is drawn. */
  from: number
  /** The first row after it that is not. */
  until: number
  /** The height of the rows that are left out before, in pixels. */
  before: number
  after: number
}

/** The height of every row, `--row` of the design, in pixels. */
const ROW = 44
/** Rows that are drawn beyond those in sight, so that scrolling does not show a gap. */
const AROUND = 15

/**
 * Draws the rows of a table that the reader sees; the document scrolls, not the table. All rows are of one height, so that
 * which of them are in sight is a division.
 *
 * @param more Reads further entries, when the end comes near; `null` where there are none.
 */
function useWindow(count: number, more: (() => void) | null): Window {
  const body = useRef<HTMLTableSectionElement>(null)
  const [, draw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    let frame = 0
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => draw(undefined))
    }
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [])
  const top = body.current?.getBoundingClientRect().top ?? 0
  const from = Math.max(0, Math.min(count, Math.floor(-top / ROW) - AROUND))
  const until = Math.min(count, Math.ceil((innerHeight - top) / ROW) + AROUND)
  const isNearEnd = until >= count - AROUND
  useEffect(() => {
    if (isNearEnd) more?.()
  }, [isNearEnd, count, more])
  return { body, from, until, before: from * ROW, after: (count - until) * ROW }
}

/** Filters of a list that a member has kept under a name, in this browser. */
interface SavedView {
  name: string
  query: ListQuery
}

/** The member's views of a list. */
function SavedViews({ list, address }: { list: string; address: ListAddress }) {
  const { member } = useSession()
  const place = `tillwright.views.${member.id}.${list}`
  const [views, setViews] = useState(() => readViews(place))
  const [name, setName] = useState('')
  const keep = (next: readonly SavedView[]) => {
    localStorage.setItem(place, JSON.stringify(next))
    setViews(next)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    keep([...views.filter((view) => view.name !== name), { name, query: address.query }])
    setName('')
  }
  return (
    <Menu label={text('list.views')}>
      <div class="views">
        {views.length === 0 && <p class="hint">{text('list.noViews')}</p>}
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              <Button kind="plain" onClick={() => address.replace(view.query)}>
                {view.name}
              </Button>
              <Button kind="plain" onClick={() => keep(views.filter((each) => each !== view))}>
                <Icon name="close" />
                <span class="hidden-text">{text('list.deleteView', { name: view.name })}</span>
              </Button>
            </li>
          ))}
        </ul>
        <form onSubmit={save}>
          <Input label={text('list.viewName')} required maxLength={40} value={name} onValue={setName} />
          <Button type="submit">{text('list.saveView')}</Button>
        </form>
      </div>
    </Menu>
  )
}

function readViews(place: string): readonly SavedView[] {
  const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
  return Array.isArray(kept) ? kept : []
}
