import { useState } from 'preact/hooks'
import { type ListName, request } from '../api/client.ts'
import { askWhoIsHere } from '../api/query.ts'
import { Button } from '../design/controls.tsx'
import { Failure } from '../design/states.tsx'
import { text } from '../shell/text.ts'
import type { ListQuery } from './entries.ts'

/** Downloads what the list shows, all pages of it, as the API's own CSV. */
export function ExportCsv({ list, query }: { list: ListName; query: ListQuery }) {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const run = async () => {
    setRunning(true)
    setFailure(null)
    try {
      // Every list is an operation of members.
      const response = await request(list, query, { accept: 'text/csv' })
      download(await response.blob(), `${list.split('.')[0]}.csv`)
    } catch (error) {
      askWhoIsHere(error)
      setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <Button icon="download" isBusy={isRunning} onClick={run}>
        {text(isRunning ? 'list.exporting' : 'list.export')}
      </Button>
      {failure !== null && <Failure failure={failure} />}
    </>
  )
}

/** Hands a file to the browser, which keeps it under this name. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
