import { Bone } from '../design/states.tsx'
import type { Column } from './list-page.tsx'
import { useRowKeys } from './row-keys.ts'
import { useLocation } from 'preact-iso'

interface TableProps<Entry> {
  title: string
  columns: readonly Column<Entry>[]
  /** `null` while they are on their way. */
  rows: readonly Entry[] | null
  idOf: (entry: Entry) => string
  /** The address of an entry's own page, below `/console`. */
  pathOf?: (entry: Entry) => string
}

const WAITING_ROWS = 3

/** A table of few rows, all of them drawn. */
export function Table<Entry>({ title, columns, rows, idOf, pathOf }: TableProps<Entry>) {
  const { route } = useLocation()
  const { at, rowProps } = useRowKeys(rows?.length ?? 0, (index) => {
    const entry = rows?.[index]
    if (entry !== undefined && pathOf !== undefined) route(`/console${pathOf(entry)}`)
  })
  return (
    <table class="list" aria-busy={rows === null}>
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
      <tbody>
        {rows === null &&
          Array.from({ length: WAITING_ROWS }, (_, index) => (
            <tr key={index} class="waiting">
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  <Bone />
                </td>
              ))}
            </tr>
          ))}
        {rows?.map((entry, index) => (
          <tr key={idOf(entry)} aria-rowindex={index + 2} class={index === at ? 'at' : ''} {...rowProps(index)}>
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
      </tbody>
    </table>
  )
}

function classOf({ isNumber, rank }: Pick<Column<never>, 'isNumber' | 'rank'>): string {
  return `${isNumber === true ? 'number' : ''} ${rank === undefined ? '' : `rank-${rank}`}`
}
