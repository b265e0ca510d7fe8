import type { ComponentChildren } from 'preact'
import { Bone } from '../design/states.tsx'

/** A column of a list. */
export interface Column<Entry> {
  title: string
  cell: (entry: Entry) => ComponentChildren
  /** Numbers stand at the end of their cell. */
  isNumber?: true
  /** Takes as much room as a time or a status does; the others share the rest. */
  isNarrow?: true
  /** Left out on a telephone (`2`), and on a tablet as well (`3`). */
  rank?: 2 | 3
}

interface HeadProps {
  /** Caption of the table, for screen readers. */
  title: string
  columns: readonly Column<never>[]
}

/** The caption and the titles of the columns. */
export function Head({ title, columns }: HeadProps) {
  return (
    <>
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
    </>
  )
}

interface CellsProps<Entry> {
  columns: readonly Column<Entry>[]
  entry: Entry
  /** The address of the entry's own page, below `/console`; the first cell leads there. */
  pathOf: ((entry: Entry) => string) | undefined
}

/** The cells of a row. */
export function Cells<Entry>({ columns, entry, pathOf }: CellsProps<Entry>) {
  return (
    <>
      {columns.map((column, place) => (
        // Ids and names of the other direction lose their end, not their beginning, where there is no room.
        <td key={column.title} class={classOf(column)} dir="auto">
          {place === 0 && pathOf !== undefined ? (
            <a href={`/console${pathOf(entry)}`}>{column.cell(entry)}</a>
          ) : (
            column.cell(entry)
          )}
        </td>
      ))}
    </>
  )
}

/** Rows that wait for their values: they have the size of rows that have them. */
export function WaitingRows({ columns, count }: { columns: readonly Column<never>[]; count: number }) {
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <tr key={index} class="waiting">
          {columns.map((column) => (
            <td key={column.title} class={classOf(column)}>
              <Bone />
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}

function classOf({ isNumber, isNarrow, rank }: Pick<Column<never>, 'isNumber' | 'isNarrow' | 'rank'>): string {
  const names = [isNumber === true && 'number', isNarrow === true && 'slim', rank !== undefined && `rank-${rank}`]
  return names.filter((name) => name !== false).join(' ')
}
