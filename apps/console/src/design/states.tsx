import type { ComponentChildren } from 'preact'
import { ApiFailure } from '../api/client.ts'
import type { Read } from '../api/query.ts'
import { text } from '../shell/text.ts'
import { Button } from './controls.tsx'

/** Why something could not be read or done, in the platform's own words, and what to do. */
export function Failure({ failure, retry }: { failure: Error; retry?: () => unknown }) {
  const isUnanswered = failure instanceof ApiFailure && failure.isUnanswered
  return (
    <div class="failure" role="alert">
      <p>{isUnanswered ? text('unanswered') : failure.message}</p>
      {failure instanceof ApiFailure && failure.issues.length > 1 && (
        <ul>
          {failure.issues.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {failure instanceof ApiFailure && failure.requestId !== null && <p class="mono">{failure.requestId}</p>}
      {retry !== undefined && <Button onClick={() => void retry()}>{text('retry')}</Button>}
    </div>
  )
}

/** Empty state of a page, with the first step to take. Without a title where the page's own says enough. */
export function Empty({ title, children }: { title?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </div>
  )
}

/** A place whose value is on its way. It is as large as the value. */
export function Bone() {
  return <span class="bone" aria-hidden="true" />
}

interface LoadedProps<Result> {
  read: Read<Result>
  children: (result: Result) => ComponentChildren
  /** Placeholder of the same size, shown until the data has loaded. */
  waiting?: ComponentChildren
}

/** Shows what is read as soon as it is there, and its failure otherwise. What was shown once stays until there is news. */
export function Loaded<Result>({ read, waiting, children }: LoadedProps<Result>) {
  if (read.data !== undefined) return <>{children(read.data)}</>
  if (read.error !== null) return <Failure failure={read.error} retry={() => read.refetch()} />
  return <>{waiting ?? <Bone />}</>
}
