import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { ApiFailure } from '../api/client.ts'
import type { Read } from '../api/query.ts'
import { Bone, Empty, Failure } from '../design/states.tsx'
import { consoleUrl, sections } from './navigation.ts'
import { text } from './text.ts'

interface PageProps {
  title: string
  /** The page's actions, next to the title. */
  actions?: ComponentChildren
  /** Below the title, in a line. */
  note?: ComponentChildren
  /** For a page that is a table: its columns have use for a wide window, where text would not be read as easily. */
  isWide?: true
  children: ComponentChildren
}

/** The frame of every page: its title, also the document's, and its actions. */
export function Page({ title, actions, note, isWide, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} - Tillwright`
  }, [title])
  return (
    <>
      <header class={isWide === true ? 'head wide' : 'head'}>
        <div>
          <h1>{title}</h1>
          {note !== undefined && <p>{note}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface LoadedPageProps<Result> {
  read: Read<Result>
  children: (result: Result) => ComponentChildren
}

/** The page of one object, as soon as it is read. Until then it is as large, and what cannot be read leads back to its list. */
export function LoadedPage<Result>({ read: { data, error, refetch }, children }: LoadedPageProps<Result>) {
  const { path } = useLocation()
  if (data !== undefined) return <>{children(data)}</>
  if (error === null) return <Waiting />
  const list = sections.flatMap(({ pages }) => pages).findLast((page) => path.startsWith(`${consoleUrl(page.path)}/`))
  const title = text(`page.${list?.name ?? 'home'}`)
  const back = <a href={consoleUrl(list?.path ?? '')}>{text('key.go', { page: title })}</a>
  const isMissing = error instanceof ApiFailure && error.status === 404
  return (
    <Page title={title} note={back}>
      {isMissing ? (
        <Empty title={text('notHere')}>
          <p>{error.message}</p>
        </Empty>
      ) : (
        <Failure failure={error} retry={() => refetch()} />
      )}
    </Page>
  )
}

function Waiting() {
  return (
    <div class="page-waiting" aria-busy="true">
      <header class="head">
        <h1>
          <span class="hidden-text">{text('list.loading')}</span>
          <Bone />
        </h1>
      </header>
      <div class="columns">
        <div class="card" />
        <div class="card" />
      </div>
    </div>
  )
}
