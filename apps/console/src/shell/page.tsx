import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  title: string
  /** Beside the title: the page's actions. */
  actions?: ComponentChildren
  /** Below the title, in a line. */
  note?: ComponentChildren
  children: ComponentChildren
}

/** The frame of every page: its title, also the document's, and its actions. */
export function Page({ title, actions, note, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} - Tillwright`
  }, [title])
  return (
    <>
      <header class="head">
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
