import { useLocation } from 'preact-iso'
import { Cells, type Column, Head, WaitingRows } from './columns.tsx'
import { useRowKeys } from './row-keys.ts'

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
      <Head title={title} columns={columns} />
      <tbody>
        {rows === null && <WaitingRows columns={columns} count={WAITING_ROWS} />}
        {rows?.map((entry, index) => (
          <tr key={idOf(entry)} aria-rowindex={index + 2} class={index === at ? 'at' : ''} {...rowProps(index)}>
            <Cells columns={columns} entry={entry} pathOf={pathOf} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}
